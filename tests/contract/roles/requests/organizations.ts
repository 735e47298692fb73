import { makeOperator } from '../../../support/organizations/operators.ts';
import { expectSuccess, password, type Requests, type World } from './world.ts';
import { configure } from './sso.ts';

/** Of organizations, their members, invitations and audit logs. */
export const organizationRequests: Requests = {
  'POST /api/organizations': async ({ server, owner }) => {
    await makeOperator(server, owner);
    return { line: 'POST /api/organizations', body: { name: 'New' } };
  },
  'GET /api/organizations': () => ({ line: 'GET /api/organizations' }),
  'GET /api/organizations/{orgId}': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}`,
    ids: [id],
  }),
  'PATCH /api/organizations/{orgId}': ({ organizationId: id }) => ({
    line: `PATCH /api/organizations/${id}`,
    body: { name: 'Renamed' },
    ids: [id],
  }),
  'GET /api/organizations/{orgId}/members': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}/members`,
    ids: [id],
  }),
  'PATCH /api/organizations/{orgId}/members/{userId}': async ({ server, organizationId: id }) => {
    const member = await server.createMember(id, 'viewer');
    const line = `PATCH /api/organizations/${id}/members/${member.id}`;
    return { line, body: { role: 'editor' }, ids: [id, member.id] };
  },
  'DELETE /api/organizations/{orgId}/members/{userId}': async ({ server, organizationId: id }) => {
    const member = await server.createMember(id, 'viewer');
    return { line: `DELETE /api/organizations/${id}/members/${member.id}`, ids: [id, member.id] };
  },
  'POST /api/organizations/{orgId}/invitations': ({ organizationId: id }) => ({
    line: `POST /api/organizations/${id}/invitations`,
    body: { email: 'new@example.com', role: 'viewer' },
    ids: [id],
  }),
  'GET /api/organizations/{orgId}/invitations': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}/invitations`,
    ids: [id],
  }),
  'DELETE /api/organizations/{orgId}/invitations/{invitationId}': async (world) => {
    const { organizationId: id } = world;
    const { invitationId } = await invite(world, 'new@example.com');
    return { line: `DELETE /api/organizations/${id}/invitations/${invitationId}`, ids: [id, invitationId] };
  },
  'GET /api/organizations/{orgId}/audit': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}/audit`,
    ids: [id],
  }),
  'GET /api/organizations/{orgId}/audit/export': async (world) => {
    const { organizationId: id } = world;
    await configure(world);
    return { line: `GET /api/organizations/${id}/audit/export?action=sso.configuration.saved`, ids: [id] };
  },
  'POST /api/invitations/read': async (world) => {
    const { token } = await invite(world, 'new@example.com');
    return { line: 'POST /api/invitations/read', body: { token } };
  },
  // To a third organization, since the members of this one have nothing to accept here.
  'POST /api/invitations/accept': async ({ as, ...world }) => {
    const owner = await world.server.createPerson();
    const organizationId = await world.server.createOrganization(owner);
    const { token } = await invite({ ...world, as, owner, organizationId }, as?.email ?? 'new@example.com');
    return { line: 'POST /api/invitations/accept', body: { token } };
  },
  'POST /api/invitations/sign-up': async (world) => {
    const { token } = await invite(world, `${crypto.randomUUID()}@example.com`);
    return { line: 'POST /api/invitations/sign-up', body: { token, name: 'New', password } };
  },
};

export async function invite(
  { server, owner, organizationId }: World,
  email: string,
): Promise<{ invitationId: string; token: string }> {
  const path = `/api/organizations/${organizationId}/invitations`;
  const { body } = await expectSuccess(server, owner, `POST ${path}`, { email, role: 'viewer' });
  return { invitationId: body.id, token: body.link.split('#')[1] };
}

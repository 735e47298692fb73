import assert from 'node:assert/strict';
import { createUser } from '../../../../src/server/organizations/users.ts';
import { hashPassword } from '../../../../src/server/accounts/passwords.ts';
import { domainRecord } from '../../../../src/server/sso/domains/record.ts';
import { verifyDomainAsOperator } from '../../../../src/server/sso/domains/proofs.ts';
import { linkTokenOf } from '../../../support/sso/sign-ins.ts';
import { expectSuccess, password, type Requests, type World } from './world.ts';

/** The tenant that the directory is of. */
export const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const configuration = {
  provider: 'idp_ad',
  clientId: 'client',
  emailDomains: ['example.com'],
  enabled: true,
};

/** A domain that only this organization names. */
const domainOf = (organizationId: string): string => `${organizationId}.example`;

/** Of single sign-on. */
export const ssoRequests: Requests = {
  'POST /api/sso/orgs/{orgId}/config': ({ organizationId: id }) => ({
    line: `POST /api/sso/orgs/${id}/config`,
    body: configuration,
    ids: [id],
  }),
  'GET /api/sso/orgs/{orgId}/config': async (world) => ({
    line: `GET ${await configure(world)}`,
    ids: [world.organizationId],
  }),
  'DELETE /api/sso/orgs/{orgId}/config': async (world) => ({
    line: `DELETE ${await configure(world)}`,
    ids: [world.organizationId],
  }),
  'POST /api/sso/orgs/{orgId}/config/test': async (world) => ({
    line: `POST ${await connect(world)}/config/test`,
    ids: [world.organizationId],
  }),
  'GET /api/sso/orgs/{orgId}/config/test/{testId}': async (world) => {
    const path = `${await connect(world)}/config/test`;
    const { body } = await expectSuccess(world.server, world.owner, `POST ${path}`);
    return { line: `GET ${path}/${body.id}`, ids: [world.organizationId, body.id] };
  },
  'GET /api/sso/orgs/{orgId}/status': async (world) => ({
    line: `GET ${await connect(world)}/status`,
    ids: [world.organizationId],
  }),
  'GET /api/sso/orgs/{orgId}/domains': async (world) => ({
    line: `GET ${await connect(world)}/domains`,
    ids: [world.organizationId],
  }),
  'POST /api/sso/orgs/{orgId}/domains/{domain}/verify': async (world) => {
    const { dns, organizationId: id } = world;
    const { name, value } = domainRecord(id, domainOf(id));
    dns.publish(name, value);
    return { line: `POST ${await connect(world)}/domains/${domainOf(id)}/verify`, ids: [id] };
  },
  'GET /api/sso/orgs/{orgId}/policy': ({ organizationId: id }) => ({
    line: `GET /api/sso/orgs/${id}/policy`,
    ids: [id],
  }),
  'PUT /api/sso/orgs/{orgId}/policy': ({ organizationId: id }) => ({
    line: `PUT /api/sso/orgs/${id}/policy`,
    body: { requireSso: false, defaultRole: 'editor', roleMappings: [] },
    ids: [id],
  }),
  'POST /api/sso/orgs/{orgId}/recovery-codes': ({ organizationId: id }) => ({
    line: `POST /api/sso/orgs/${id}/recovery-codes`,
    ids: [id],
  }),
  'POST /api/sso/sign-in': async (world) => {
    await connect(world);
    const email = `someone@${domainOf(world.organizationId)}`;
    return { line: 'POST /api/sso/sign-in', body: { email } };
  },
  'GET /api/sso/start/{orgId}': async (world) => {
    await connect(world);
    return { line: `GET /api/sso/start/${world.organizationId}` };
  },
  'GET /api/sso/callback/{configId}': async (world) => {
    await connect(world);
    return comeBack(world, `someone@${domainOf(world.organizationId)}`);
  },
  'POST /api/sso/sign-in/link/read': async (world) => {
    const { token, cookie } = await waitForPassword(world);
    return { line: 'POST /api/sso/sign-in/link/read', body: { token }, cookie };
  },
  'POST /api/sso/sign-in/link': async (world) => {
    const { token, cookie } = await waitForPassword(world);
    return { line: 'POST /api/sso/sign-in/link', body: { token, password }, cookie };
  },
};

/** Signs a person in at the directory; returns the request to the callback. */
async function comeBack({ server, directory, organizationId: id }: World, address: string) {
  const { headers } = await server.call(`GET /api/sso/start/${id}`);
  const subject = `someone of ${id}`;
  directory.addPerson({ subject, claims: { preferred_username: address } });
  const back = new URL(await directory.signIn(String(headers['location']), subject));
  return {
    line: `GET ${back.pathname}${back.search}`,
    cookie: String(headers['set-cookie']).split(';')[0] ?? '',
  };
}

/** Signs a member in at the directory whose account has the same address, and has to be linked. */
async function waitForPassword(world: World): Promise<{ token: string; cookie: string }> {
  const { server, organizationId: id } = world;
  await connect(world);
  const email = `member@${domainOf(id)}`;
  const passwordHash = await hashPassword(password);
  const user = await server.database.write((transaction) =>
    createUser(transaction, Date.now, { email, name: 'Member', passwordHash }),
  );
  await server.addMember(id, { ...user, token: '' }, 'viewer');
  const { line, cookie } = await comeBack(world, email);
  return { token: linkTokenOf(await server.call(line, { headers: { cookie } })), cookie };
}

/** Returns the path of the configuration that the organization then has. */
export async function configure({ server, owner, organizationId }: World): Promise<string> {
  const path = `/api/sso/orgs/${organizationId}/config`;
  await expectSuccess(server, owner, `POST ${path}`, configuration);
  return path;
}

/** Gives the organization a configuration that is ready. Returns the path of what belongs to it. */
async function connect({ server, owner, organizationId, directory }: World): Promise<string> {
  const path = `/api/sso/orgs/${organizationId}`;
  const { clientId, clientSecret } = directory;
  const domain = domainOf(organizationId);
  const body = { ...configuration, clientId, clientSecret, tenantId, emailDomains: [domain] };
  await expectSuccess(server, owner, `POST ${path}/config`, body);
  await verifyDomainAsOperator(server.database, Date.now, { organizationId, domain });
  const { body: status } = await expectSuccess(server, owner, `GET ${path}/status`);
  assert.equal(status.state, 'ready');
  directory.allowRedirect(status.redirectUri);
  return path;
}

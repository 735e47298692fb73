import { startWebOffice, type WebOffice } from './web-office.ts';
import type { Owner } from '../support/endings.ts';
import type { Person } from '../support/server/test-server.ts';

/** An office with the sample, people and a single sign-on configuration. */
export interface SampleOffice {
  readonly office: WebOffice;
  readonly people: Readonly<Record<'owner' | 'viewer', Person>>;
  readonly organizationId: string;
  readonly emptyOrganizationId: string;
  readonly dashboardId: string;
  readonly reportId: string;
  readonly dataSourceId: string;
  /** The token of an open invitation. */
  readonly invitationToken: string;
}

/** Starts a real server with the sample, some people and a single sign-on configuration, and a browser. */
export async function startSampleOffice(owner: Owner): Promise<SampleOffice> {
  const office = await startWebOffice(owner);
  const { server, owner: ada, organizationId } = office;
  const call = async (line: string, body?: unknown, as: Person = ada) => {
    server.advance(90_000);
    const response = await server.call(line, { as, ...(body !== undefined && { body }) });
    if (response.status >= 300) throw new Error(`${line}: ${response.status} ${response.text}`);
    return response.body;
  };
  await call(`PATCH /api/organizations/${organizationId}`, { name: 'Meridian' });
  const people = [
    ['Grace Hopper', 'admin'],
    ['Linus Pauling', 'editor'],
    ['Mary Somerville', 'viewer'],
  ] as const;
  const members: Person[] = [];
  for (const [name, role] of people) {
    const person = await server.createPerson(name);
    await server.addMember(organizationId, person, role);
    members.push(person);
  }
  const [grace = ada, linus = ada, mary = ada] = members;
  const { dashboardId, dataSourceId } = await call(`POST /api/organizations/${organizationId}/sample`);
  const { widgets } = await call(`GET /api/dashboards/${dashboardId}`);
  const others = [
    [grace, 'Punctuality', 'How late we are, where, and since when'],
    [linus, 'Prices and markets', undefined],
    [grace, 'Weekly review', 'For the meeting on Mondays'],
    [linus, 'Movies (draft)', undefined],
  ] as const;
  for (const [as, name, description] of others) {
    const body = {
      name,
      organizationId,
      widgets: widgets.slice(0, 3).map(withoutId),
      ...(description !== undefined && { description }),
    };
    const { id } = await call('POST /api/dashboards', body, as);
    await call(`PUT /api/dashboards/${id}/visit`);
  }
  await call(`PUT /api/dashboards/${dashboardId}/star`);
  const { id: deleted } = await call('POST /api/dashboards', { name: 'Last year', organizationId });
  await call(`DELETE /api/dashboards/${deleted}`);
  await call(`POST /api/sso/orgs/${organizationId}/config`, {
    provider: 'idp_ad',
    clientId: '6f0c2f0e-6a51-4c8c-9d0e-1d2c3b4a5968',
    clientSecret: 'a secret of the screenshots',
    tenantId: '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f',
    emailDomains: ['meridian.example'],
    enabled: false,
  });
  const invitation = await call(`POST /api/organizations/${organizationId}/invitations`, {
    email: 'rosalind@meridian.example',
    role: 'editor',
  });
  const empty = await server.createOrganization(ada);
  return {
    office,
    people: { owner: ada, viewer: mary },
    organizationId,
    emptyOrganizationId: empty,
    dashboardId,
    // Flights by month.
    reportId: widgets[3].reportId,
    dataSourceId,
    invitationToken: new URL(invitation.link).hash.slice(1),
  };
}

const withoutId = ({ id: _, ...widget }: { id: string }) => widget;

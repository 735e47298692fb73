import assert from 'node:assert/strict';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import type { Owner } from '../../support/endings.ts';
import type { Person } from '../../support/server/test-server.ts';
import { startWebOffice, type WebOffice } from '../web-office.ts';

/** A server with reports that can be added to dashboards. */
export interface DashboardDesk extends WebOffice {
  /** The IDs of the reports, by name. */
  readonly reports: Readonly<Record<string, string>>;
  /** Creates a dashboard of the organization with a widget for each layout. The widgets show the reports in turn. */
  createDashboard(
    layouts: readonly (readonly [x: number, y: number, w: number, h: number])[],
  ): Promise<Dashboard>;
  /** Creates a member with the role editor. */
  createEditor(name: string): Promise<Person>;
  readDashboard(id: string): Promise<Dashboard>;
}

export async function startDashboardDesk(
  owner: Owner,
  names = ['Flights', 'Delays'],
): Promise<DashboardDesk> {
  const office = await startWebOffice(owner);
  const { server, organizationId, owner: ada } = office;
  const create = async (line: string, body: object, status = 201) => {
    const response = await server.call(line, { as: ada, body });
    assert.equal(response.status, status, response.text);
    return response.body;
  };
  const { id: dataSourceId } = await create(`POST /api/organizations/${organizationId}/data-sources`, {
    name: 'Files',
    kind: 'files',
  });
  const entries = await Promise.all(
    names.map(async (name, index) => {
      const body = { organizationId, dataSourceId, name, query: `SELECT ${index + 1} AS "of ${index}"` };
      return [name, (await create('POST /api/reports', body)).id] as const;
    }),
  );
  return {
    ...office,
    reports: Object.fromEntries(entries),
    createDashboard: (layouts) =>
      create('POST /api/dashboards', {
        organizationId,
        name: 'Traffic',
        widgets: layouts.map(([x, y, w, h], index) => ({
          reportId: entries[index % entries.length]?.[1],
          layout: { x, y, w, h },
        })),
      }),
    async createEditor(name) {
      const person = await server.createPerson(name);
      await server.addMember(organizationId, person, 'editor');
      return person;
    },
    async readDashboard(id) {
      return (await server.call(`GET /api/dashboards/${id}`, { as: ada })).body;
    },
  };
}

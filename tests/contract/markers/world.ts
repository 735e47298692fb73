import assert from 'node:assert/strict';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { storePasskey } from '../../support/credentials/authenticator.ts';
import type { Owner } from '../../support/endings.ts';
import {
  startTestServer,
  type Engine,
  type Person,
  type TestServer,
} from '../../support/server/test-server.ts';
import { logo, newToken } from '../roles/requests/fixtures.ts';

/** Every name, text and value that a member without access must not read contains this word. */
export const secret = 'zqsecret';
/** Every name, text and value that only members may read contains this word. */
export const internal = 'zqinternal';

/** The IDs that attackers know, by the names of parameters and members. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

/** An organization with secrets, and people who know all of its IDs. */
export interface MarkedWorld {
  readonly server: TestServer;
  readonly organizationId: string;
  readonly owner: Person;
  /** A member who may edit everything that isn't restricted. */
  readonly member: Person;
  /** The owner of another organization. */
  readonly stranger: Person;
  readonly ids: KnownIds;
}

/** A built query whose rows are secret. */
const structure: QueryStructure = {
  table: {
    schema: 'main',
    name: 'ledger',
    columns: [{ name: 'c', type: 'text' }],
  },
  measures: [{ name: 'n', aggregate: 'count' }],
};

/** Starts a server with such an organization. */
export async function startMarkedWorld(suite: Owner, engine: Engine): Promise<MarkedWorld> {
  const server = await startTestServer(suite, engine);
  server.mailServer.state = 'accepts';
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}`;

  /** Sends a request of the owner, and returns the body of the response. */
  const send = async (line: string, body?: unknown, headers?: Readonly<Record<string, string>>) => {
    const response = await server.call(line, {
      as: owner,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
    assert.ok(response.status < 300, `${line}: ${response.text}`);
    return response.body;
  };
  const restrict = (record: string) => send(`PUT /api/${record}/access`, { restricted: true, members: [] });
  const csv = { 'content-type': 'text/csv' };

  const createSource = async (name: string, word: string) => {
    const { id } = await send(`POST ${path}/data-sources`, { name: `${word} source`, kind: 'files' });
    for (const table of [name, `${word}_table`]) {
      await send(
        `PUT /api/data-sources/${id}/tables/${table}`,
        `c,${word}_column\n${word} value,${word}\n`,
        csv,
      );
    }
    const model = {
      schema: 'main',
      name,
      description: `${word} table`,
      columns: [{ name: 'c', displayName: word }],
    };
    await send(`PUT /api/data-sources/${id}/models`, model, { 'if-match': '*' });
    return String(id);
  };
  const createReport = async (dataSourceId: string, word: string, more: object = {}) => {
    const body = {
      organizationId,
      dataSourceId,
      name: `${word} report`,
      description: `About ${word}`,
      query: `SELECT c, '${word}' AS d FROM ledger WHERE c = {{p}} OR {{p}} IS NULL`,
      parameters: [
        { name: 'p', label: `${word} parameter`, type: 'text', allowed: { query: 'SELECT c FROM ledger' } },
      ],
      visualization: { kind: 'bar', x: 'c', series: [{ field: 'd', label: word }] },
      ...more,
    };
    const { id } = await send('POST /api/reports', body);
    return String(id);
  };
  const createDashboard = async (
    word: string,
    widgets: object[] = [],
  ): Promise<{ id: string; widgetIds: string[] }> => {
    const note = { reportId: 'builtin:annotations', config: { a: { from: '2026-01-01', text: word } } };
    const text = { reportId: 'builtin:text', config: { text: `${word} text` } };
    const body = {
      organizationId,
      name: `${word} dashboard`,
      description: word,
      widgets: [...widgets, note, text],
    };
    const created = await send('POST /api/dashboards', body);
    return { id: created.id, widgetIds: created.widgets.map((widget: { id: string }) => widget.id) };
  };
  const createFolder = async (word: string, parentId?: string): Promise<string> =>
    (await send(`POST ${path}/folders`, { name: `${word} folder`, ...(parentId && { parentId }) })).id;
  const move = async (kind: 'dashboard' | 'report', id: string, folderId: string) => {
    const { items } = await send(`POST ${path}/items`, { action: 'move', folderId, items: [{ kind, id }] });
    assert.equal(items[0].done, true);
  };
  const comment = async (dashboardId: string, body: object) =>
    send(`POST /api/dashboards/${dashboardId}/comments`, body);
  const trashed = async (record: string) => {
    await send(`DELETE /api/${record}`);
    return record.slice(record.indexOf('/') + 1);
  };

  const [hiddenSource, openSource, goneSource] = [
    await createSource('ledger', secret),
    await createSource('ledger', internal),
    await createSource('ledger', secret),
  ];
  await send(`PUT /api/data-sources/${hiddenSource}/tables/old`, `${secret}\n1\n`, csv);
  await send(`DELETE /api/data-sources/${hiddenSource}/tables/old`);
  const { items: tables } = await send(`GET ${path}/trash/tables`);
  const upload = await send(`POST ${path}/uploads`, `${secret}\n1\n`, csv);
  const image = await send(`POST ${path}/images`, gif, { 'content-type': 'image/gif' });

  // The page to sign in shows it to everyone.
  const { logoId } = await send(`PUT ${path}/logo`, logo.body, logo.headers);

  const [folder, personal, goneFolder] = [
    await createFolder(secret),
    (await send(`PUT ${path}/personal-folder`)).id as string,
    await createFolder(secret),
  ];
  const [inner, drafts, openFolder] = [
    await createFolder(secret, folder),
    await createFolder(secret, personal),
    await createFolder(internal),
  ];

  const [report, placedReport, draftReport, goneReport, purgedReport] = [
    await createReport(openSource, secret),
    await createReport(openSource, secret),
    await createReport(openSource, secret),
    await createReport(openSource, secret),
    await createReport(openSource, secret),
  ];
  const openReport = await createReport(openSource, internal);
  const generated = generateQuery(structure, 'duckdb');
  assert.ok('query' in generated);
  const counting = await createReport(hiddenSource, internal, {
    name: 'Count',
    description: '',
    structure,
    query: generated.query.sql,
    parameters: [...generated.query.parameters],
    visualization: { kind: 'table' },
  });
  const reports = [report, placedReport, draftReport, goneReport, purgedReport, openReport, counting];
  const showing = (ids: readonly string[]) => [
    {
      reportId: 'builtin:filters',
      config: {
        filters: [
          { name: 'p', kind: 'list', values: { reportId: ids[0], column: 'c' } },
          { name: 'q', kind: 'select', values: { reportId: ids[1], column: 'd' } },
        ],
      },
    },
    { reportId: 'builtin:section', config: { key: 's', title: 'Each {{p}}', repeat: { filter: 'p' } } },
    { reportId: 'builtin:text', config: { parent: 's', text: 'Of {{First > c}} {{First > d}}' } },
    ...ids.map((reportId, index) => ({
      reportId,
      config: index === 0 ? { title: 'First' } : { parent: 's' },
    })),
  ];
  const [dashboard, placed, draft, gone] = [
    await createDashboard(secret, showing(reports)),
    await createDashboard(secret),
    await createDashboard(secret),
    await createDashboard(secret),
  ];
  const open = await createDashboard(internal, showing(reports));
  // The values of a report that the dashboard shows are those of the report.
  const mark = { values: { c: `${secret} value` }, text: secret };
  const threads = [
    await comment(dashboard.id, { text: secret }),
    await comment(open.id, { text: internal, widgetId: open.widgetIds[3], mark }),
  ];
  for (const id of [dashboard.id, placed.id])
    await send(`PATCH /api/dashboards/${id}`, { name: `${secret} 2` }, { 'if-match': '*' });
  const links = [
    await send(`POST /api/dashboards/${dashboard.id}/display-links`, {
      name: secret,
      filters: `p=${secret}`,
    }),
    await send(`POST /api/dashboards/${open.id}/display-links`, { name: secret }),
  ];
  const webhook = await send(`POST ${path}/webhooks`, {
    url: `https://hooks.example/${secret}`,
    events: ['dashboard.changed', 'dashboard.deleted'],
  });
  const delivery = await send(`POST ${path}/webhooks/${webhook.id}/test`);
  const connection = await send(`POST /api/sso/orgs/${organizationId}/connections`, {
    name: `${secret} directory`,
    provider: 'oidc',
    clientId: secret,
    emailDomains: [`${secret}.example`],
    enabled: true,
  });
  const proposals: { id: string }[] = [
    await send(`POST ${path}/proposals`, {
      summary: secret,
      targetId: dashboard.id,
      baseVersion: 2,
      dashboard: { name: secret, widgets: [] },
    }),
    await send(`POST ${path}/proposals`, {
      summary: internal,
      targetId: open.id,
      baseVersion: 1,
      dashboard: { name: internal, widgets: [] },
    }),
  ];
  const certificate = await send(
    `POST /api/sso/orgs/${organizationId}/connections/${connection.id}/certificates`,
  );
  const invitation = await send(`POST ${path}/invitations`, {
    email: `${secret}@example.com`,
    role: 'viewer',
  });

  for (const record of [
    `dashboards/${dashboard.id}`,
    `dashboards/${gone.id}`,
    `reports/${report}`,
    `reports/${goneReport}`,
    `reports/${purgedReport}`,
    `data-sources/${hiddenSource}`,
    `data-sources/${goneSource}`,
    `folders/${folder}`,
    `folders/${goneFolder}`,
  ])
    await restrict(record);
  await move('dashboard', placed.id, inner);
  await move('report', placedReport, inner);
  await move('dashboard', draft.id, drafts);
  await move('report', draftReport, drafts);
  const trash = [
    await trashed(`dashboards/${gone.id}`),
    await trashed(`reports/${goneReport}?force=true`),
    await trashed(`data-sources/${goneSource}?force=true`),
    await trashed(`folders/${goneFolder}`),
    await trashed(`reports/${purgedReport}?force=true`),
    tables[0].id as string,
  ].map((id) => id.replace(/\?.*/, ''));
  await send(`DELETE /api/trash/reports/${purgedReport}`);

  const token = await send('POST /api/auth/tokens', { organizationId, ...newToken, name: `${secret} token` });
  const member = await server.createMember(organizationId, 'editor');
  const stranger = await server.createPerson('Eve');
  await server.createOrganization(stranger);
  const dashboards = [dashboard.id, open.id, placed.id, draft.id, gone.id];
  return {
    server,
    organizationId,
    owner,
    member,
    stranger,
    ids: {
      organizationId: [organizationId],
      orgId: [organizationId],
      configId: [organizationId, connection.id],
      connectionId: [connection.id],
      certificateId: [certificate.id],
      dashboardId: dashboards,
      reportId: reports,
      dataSourceId: [hiddenSource, openSource, goneSource],
      folderId: [folder, personal, inner, drafts, goneFolder, openFolder],
      parentId: [folder, personal, inner, drafts, goneFolder, openFolder],
      widgetId: [...dashboard.widgetIds.slice(2, 4), ...open.widgetIds.slice(2, 4)],
      commentId: threads.map(({ id }) => id),
      threadId: threads.map(({ id }) => id),
      tokenId: [token.id],
      passkeyId: [await storePasskey(server, owner)],
      linkId: links.map(({ id }) => id),
      proposalId: proposals.map(({ id }) => id),
      recordId: [...reports, ...dashboards],
      targetId: [...reports, ...dashboards],
      webhookId: [webhook.id],
      deliveryId: [delivery.id],
      invitationId: [invitation.id],
      imageId: [image.id],
      logoId: [logoId],
      uploadId: [upload.id],
      userId: [owner.id],
      id: trash,
      originId: [...reports, ...dashboards],
      table: ['ledger', 'old'],
      schema: ['main'],
      parameter: ['p'],
      version: ['1', '2'],
      domain: ['example.com'],
      testId: ['t'],
    },
  };
}

/** A picture of one pixel, with a comment in it. */
const gif = `GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000,\u0000\u0000\u0000\u0000\u0001\u0000\u0001\u0000\u0000;${internal}`;

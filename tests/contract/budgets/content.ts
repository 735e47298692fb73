import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { World } from '../roles/requests/world.ts';

/** The records that the requests are about, which have as much in them as possible. */
export interface Grown {
  readonly dashboardId: string;
  readonly reportId: string;
  readonly dataSourceId: string;
  readonly folderId: string;
  readonly webhookId: string;
  readonly proposalId: string;
}

/** SQL of an ID, of which `n` is the number and `kind` two hexadecimal digits. */
const id = (kind: string): string => `printf('${kind}%06x-0000-7000-8000-%012x', n, n)`;
/** SQL of a text of `length` characters, which hardly compresses, and is different for each `n`. */
const text = (length: number): string => `printf('%06d', n) || hex(randomblob(${Math.ceil(length / 2)}))`;

/**
 * Stores as much as people can store in an organization, straight into the database: large records, many of each kind, long texts.
 * Returns the token of a wall display of the large dashboard.
 */
export async function grow({ server, organizationId, owner }: World, grown: Grown): Promise<string> {
  for (const [path, body] of [
    ['auth/tokens', { organizationId, name: 'T', scopes: ['read'], expiresAt: '2026-12-01' }],
    [`organizations/${organizationId}/invitations`, { email: 'invited@example.com', role: 'viewer' }],
  ] as const)
    await server.call(`POST /api/${path}`, { as: owner, body });
  const links = `POST /api/dashboards/${grown.dashboardId}/display-links`;
  const { body: link } = await server.call(links, { as: owner, body: { name: 'Lobby' } });
  const database = new DatabaseSync(join(server.dataDirectory, 'atrium.sqlite'));
  database.exec('pragma synchronous = off; pragma foreign_keys = on; begin');

  /** Inserts copies of a row of a table, with other values in some columns. */
  function copy(
    table: string,
    count: number,
    changed: Readonly<Record<string, string>>,
    where = 'true',
  ): void {
    const columns = (database.prepare(`pragma table_info(${table})`).all() as { name: string }[]).map(
      ({ name }) => name,
    );
    const values = columns.map((column) => changed[column] ?? `source.${column}`);
    const { changes } = database
      .prepare(
        `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
        insert into ${table} (${columns.join()})
        select ${values.join()} from (select * from ${table} where ${where} limit 1) as source, numbers`,
      )
      .run();
    if (Number(changes) !== count) throw new Error(`${table}: ${changes} copies instead of ${count}`);
  }

  const set = (table: string, row: string, values: string): void => {
    const { changes } = database
      .prepare(`with numbers (n) as (select 0) update ${table} set ${values} from numbers where ${row}`)
      .run();
    if (changes === 0) throw new Error(`${table} has no row with ${row}`);
  };
  const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;
  const of = `organization_id = '${organizationId}'`;

  // People.
  const person = `id = '${owner.id}'`;
  copy(
    'users',
    300,
    { id: id('01'), email: `n || '@' || substr(${text(300)}, 1, 300)`, name: text(190), is_operator: '0' },
    person,
  );
  copy('members', 300, { user_id: id('01'), role: "'editor'" }, `${of} and user_id = '${owner.id}'`);
  copy('member_groups', 0, {});
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2000)
    insert into member_groups select '${organizationId}', '${owner.id}', ${text(200)} from numbers`);
  copy(
    'users',
    250,
    { id: id('02'), email: `n || '@s' || substr(${text(300)}, 1, 300)`, name: text(190), is_operator: '0' },
    person,
  );
  database.exec(
    `insert into suspended_members select '${organizationId}', id, 'viewer', created_at, created_at from users where id like '02%'`,
  );
  copy(
    'sessions',
    300,
    { id: id('03'), token_hash: text(64), user_agent: text(500) },
    `user_id = '${owner.id}'`,
  );
  copy('passkeys', 50, { id: id('04'), credential_id: text(1_000), name: text(100) });
  copy('invitations', 300, { id: id('05'), token_hash: text(64), email: `n || '@' || ${text(300)}` });
  copy('tokens', 300, { id: id('06'), token_hash: text(64), name: text(100) });
  copy('organizations', 210, { id: id('07'), name: text(100) }, `id = '${organizationId}'`);
  database.exec(
    `insert into members select id, '${owner.id}', 'owner', created_at, null, null, null, null from organizations where id like '07%'`,
  );

  // Logs.
  const details = `'{"dashboardId":"x","name":"' || ${text(100_000)} || '"}'`;
  copy(
    'audit_entries',
    400,
    { id: id('0a'), details, sequence: 'null', hash: 'null', details_salt: 'null', details_hash: 'null' },
    of,
  );
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 400)
    insert into access_entries select ${id('0b')}, '${organizationId}', '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 'report.exported', '${owner.id}', null, null, '${grown.reportId}', 1, null, ${details}, null, null from numbers`);

  // Folders.
  copy('folders', 1_990, { id: id('0c'), name: text(190) }, `id = '${grown.folderId}'`);
  database.exec("insert into folder_paths select id, id, 0 from folders where id like '0c%'");

  // Dashboards and reports.
  const widget = { reportId: grown.reportId, type: 'table', layout: { x: 0, y: 0, w: 1, h: 1 } };
  const widgets = Array.from({ length: 6_000 }, (_, index) => ({
    id: `w${index}`,
    ...widget,
    name: `Widget ${index}`,
    config: index < 3_000 ? { filters: { other: `f${index}` } } : { text: 'x'.repeat(200) },
  }));
  const shown = quoted([{ id: 'w', ...widget }]);
  set(
    'dashboards',
    `id = '${grown.dashboardId}'`,
    `name = ${text(400_000)}, description = ${text(500_000)}, widgets = ${quoted(widgets)}`,
  );
  copy(
    'dashboards',
    20,
    { id: id('10'), name: text(300_000), description: text(600_000), widgets: shown },
    `id = '${grown.dashboardId}'`,
  );
  copy(
    'dashboards',
    1_200,
    { id: id('11'), name: text(20), description: text(500), widgets: shown },
    `id = '${grown.dashboardId}'`,
  );
  copy(
    'dashboards',
    20,
    {
      id: id('12'),
      name: text(300_000),
      description: text(600_000),
      widgets: "'[]'",
      deleted_at: 'created_at',
      deleted_by: 'user_id',
    },
    `id = '${grown.dashboardId}'`,
  );
  database.exec('insert into dashboard_queue select id, id from dashboards');
  database.exec(
    `insert into dashboard_stars select '${owner.id}', id, created_at from dashboards where id like '10%'`,
  );
  const { content } = database.prepare('select content from reports where id = ?').get(grown.reportId) as {
    content: string;
  };
  const large = {
    ...(JSON.parse(content) as object),
    name: 'R',
    query: `select 1 as one -- ${'x'.repeat(90_000)}`,
    parameters: [
      {
        name: 'p',
        type: 'list',
        default: Array.from({ length: 40 }, (_, index) => `${index}${'y'.repeat(9_900)}`),
        allowed: { values: Array.from({ length: 40 }, (_, index) => `${index}${'y'.repeat(9_900)}`) },
      },
    ],
    visualization: { kind: 'table' },
    cacheSeconds: 0,
  };
  set(
    'reports',
    `id = '${grown.reportId}'`,
    `name = ${text(190)}, description = substr(replace(${text(9_900)}, 'A', ' é'), 1, 9900), content = ${quoted(large)}`,
  );
  copy('reports', 20, { id: id('14') }, `id = '${grown.reportId}'`);
  copy('reports', 300, { id: id('15'), content: quoted(JSON.parse(content)) }, `id = '${grown.reportId}'`);
  copy(
    'reports',
    300,
    { id: id('16'), content: "'{}'", deleted_at: 'created_at', deleted_by: 'user_id' },
    `id = '${grown.reportId}'`,
  );
  for (const [kind, recordId, version] of [
    [
      'dashboard',
      grown.dashboardId,
      quoted({ name: 'D', description: 'z'.repeat(400_000), widgets: widgets.slice(0, 3_000) }),
    ],
    ['report', grown.reportId, quoted({ ...large, query: 'select 2' })],
  ] as const) {
    database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 300)
      insert into ${kind}_versions select '${recordId}', n, '${owner.id}', '2026-11-01T00:00:00.000Z', 'edited', null, null, null, ${kind === 'dashboard' ? `case when n < 4 then ${version} end` : `case when n < 4 then ${version} end`} from numbers`);
    set(`${kind}s`, `id = '${recordId}'`, 'version = 301');
    database.exec(
      `insert into shares (record_id, grantee_kind, grantee_id, record_kind, organization_id, access, created_at, created_by) select '${recordId}', 'member', user_id, '${kind}', '${organizationId}', 'view', created_at, '${owner.id}' from members where ${of} and user_id like '01%' limit 300`,
    );
  }
  database.exec(
    `insert into shares (record_id, grantee_kind, grantee_id, record_kind, organization_id, access, created_at, created_by) select '${grown.dashboardId}', 'group', group_id, 'dashboard', '${organizationId}', 'view', null, '${owner.id}' from member_groups limit 500`,
  );

  // What belongs to a dashboard.
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 5000)
    insert into comment_threads select ${id('20')}, '${grown.dashboardId}', 1, null, null, null, null from numbers where n <= 27`);
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 5000)
    insert into comments select ${id('21')}, printf('20%06x-0000-7000-8000-%012x', 1 + (n - 1) / 190, 1 + (n - 1) / 190), '${owner.id}', ${text(9_900)}, '2026-11-01T00:00:00.000Z', null, null from numbers`);
  database.exec(
    "insert into comment_mentions select comments.id, users.id from comments, (select id from users where id like '01%' limit 20) as users where comments.id like '21%' and comments.thread_id > '20000018'",
  );

  // Data sources.
  copy('data_sources', 300, { id: id('30'), name: text(190) }, `id = '${grown.dataSourceId}'`);
  copy(
    'data_sources',
    300,
    { id: id('31'), name: text(190), deleted_at: 'created_at', deleted_by: 'user_id' },
    `id = '${grown.dataSourceId}'`,
  );
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 830)
    insert into table_models select '${grown.dataSourceId}', 'main', 'table' || n, 2, '{"description":"' || ${text(9_900)} || '"}', '2026-11-01T00:00:00.000Z' from numbers`);
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 300)
    insert into deleted_tables select ${id('32')}, '${grown.dataSourceId}', ${text(190)}, 'file', '[]', 1, 1, '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', '${owner.id}', null from numbers`);

  // People and groups of a directory.
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 200)
    insert into scim_users select '${organizationId}', ${id('01')}, 'n' || n, null, 1, '{"userName":"n' || n || '","displayName":"' || ${text(15_000)} || '"}', 1, '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z' from numbers`);
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 200)
    insert into scim_groups select ${id('50')}, '${organizationId}', 'g' || n, ${text(190)}, 'g' || n, null, 1, '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z' from numbers`);
  database.exec(
    "insert into scim_group_members select scim_groups.id, scim_users.user_id from scim_groups, scim_users where scim_groups.id like '50%'",
  );

  // The rest.
  copy(
    'webhooks',
    19,
    { id: id('40'), url: `'https://h.example/' || ${text(1_900)}` },
    `id = '${grown.webhookId}'`,
  );
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 300)
    insert into webhook_deliveries (id, webhook_id, event, body, created_at, status, response) select ${id('41')}, '${grown.webhookId}', 'dashboard.changed', '{"a":"' || ${text(20_000)} || '"}', '2026-11-01T00:00:00.000Z', 'failed', ${text(1_000)} from numbers`);
  set(
    'proposals',
    `id = '${grown.proposalId}'`,
    `content = ${quoted({ name: 'P', description: 'x'.repeat(500_000), widgets: widgets.slice(0, 2_000) })}, name = ${text(300_000)}`,
  );
  copy('proposals', 20, { id: id('42'), summary: text(9_000) }, `id = '${grown.proposalId}'`);
  copy('images', 900, { hash: text(64), content: "'R0lGODlh'" }, of);
  database.exec(
    `insert into image_uploaders (organization_id, hash, user_id) select organization_id, hash, '${owner.id}' from images where true on conflict do nothing`,
  );
  const domains = quoted(Array.from({ length: 30_000 }, (_, index) => `d${index}.example.com`));
  set('sso_configurations', of, `client_id = ${text(200_000)}, email_domains = ${domains}`);
  const more = quoted(Array.from({ length: 1_000 }, (_, index) => `${'d'.repeat(280)}${index}.example.com`));
  copy(
    'sso_configurations',
    18,
    { id: id('43'), is_first: '0', client_id: text(990), email_domains: more },
    of,
  );
  database.exec('commit');
  database.close();
  return link.token;
}

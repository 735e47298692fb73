import { sql } from 'kysely';
import type { Tenant } from '../base/tenant.ts';
import type { Amount } from '../storage/allowances.ts';
import type { Reader } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';

/** Both engines read the length without reading the text. */
const bytesOf = (...columns: string[]) =>
  sql<number | string | null>`sum(${sql.join(
    columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  )})`.as('bytes');

const count = sql<number | string>`count(*)`.as('count');

/**
 * About as much as a row needs besides its content, for what there is no other limit of: there can't be millions of small ones, which take
 * long to count.
 */
export const rowBytes = 200;

const bytesOfVersions = (table: 'dashboard_versions' | 'report_versions') => {
  const length = (column: string) => sql`coalesce(octet_length(${sql.ref(`${table}.${column}`)}), 0)`;
  return sql<
    number | string | null
  >`sum(${length('delta')} + ${length('content')} + ${sql.lit(rowBytes)})`.as('bytes');
};

/** What is counted as a record, with its bytes. The trash counts. */
const records = {
  organization: [
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('dashboards')
        .select([count, bytesOf('name', 'description', 'widgets', 'widget_editors')])
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('reports')
        .select([count, bytesOf('name', 'content')])
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('folders')
        .select([count, bytesOf('name')])
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('data_sources')
        .select([count, bytesOf('name', 'connection')])
        .where('organization_id', '=', p.id),
    ),
  ],
  personal: [
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('dashboards')
        .select([count, bytesOf('name', 'description', 'widgets', 'widget_editors')])
        .where('organization_id', 'is', null)
        .where('user_id', '=', p.id),
    ),
  ],
};

const commentBytes = (db: Sql) =>
  db
    .selectFrom('comments')
    .innerJoin('comment_threads', 'comment_threads.id', 'comments.thread_id')
    .innerJoin('dashboards', 'dashboards.id', 'comment_threads.dashboard_id')
    .select(bytesOf('comments.content'));

/** The values of charts that threads are about. */
const markBytes = (db: Sql) =>
  db
    .selectFrom('comment_threads')
    .innerJoin('dashboards', 'dashboards.id', 'comment_threads.dashboard_id')
    .select(bytesOf('comment_threads.mark'));

/** What belongs to records, of which only the bytes count; most kinds have limits of their number. */
const parts = {
  organization: [
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('dashboard_versions')
        .innerJoin('dashboards', 'dashboards.id', 'dashboard_versions.record_id')
        .select(bytesOfVersions('dashboard_versions'))
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('report_versions')
        .innerJoin('reports', 'reports.id', 'report_versions.record_id')
        .select(bytesOfVersions('report_versions'))
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) => commentBytes(db).where('organization_id', '=', p.id)),
    prepare((db, p: { id: string }) => markBytes(db).where('organization_id', '=', p.id)),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('table_models')
        .innerJoin('data_sources', 'data_sources.id', 'table_models.data_source_id')
        .select(bytesOf('table_models.content'))
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db.selectFrom('proposals').select(bytesOf('content')).where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('images')
        .select(sql<number | string | null>`sum(size_bytes)`.as('bytes'))
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('scim_users')
        .select(sql<number | string | null>`sum(octet_length(attributes) + ${sql.lit(rowBytes)})`.as('bytes'))
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('scim_groups')
        .select(
          sql<number | string | null>`sum(octet_length(display_name) + ${sql.lit(rowBytes)})`.as('bytes'),
        )
        .where('organization_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('scim_group_members')
        .innerJoin('scim_groups', 'scim_groups.id', 'scim_group_members.group_id')
        .select(sql<number | string | null>`count(*) * ${sql.lit(rowBytes)}`.as('bytes'))
        .where('organization_id', '=', p.id),
    ),
  ],
  personal: [
    prepare((db, p: { id: string }) =>
      db
        .selectFrom('dashboard_versions')
        .innerJoin('dashboards', 'dashboards.id', 'dashboard_versions.record_id')
        .select(bytesOfVersions('dashboard_versions'))
        .where('organization_id', 'is', null)
        .where('dashboards.user_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      commentBytes(db).where('organization_id', 'is', null).where('dashboards.user_id', '=', p.id),
    ),
    prepare((db, p: { id: string }) =>
      markBytes(db).where('organization_id', 'is', null).where('dashboards.user_id', '=', p.id),
    ),
  ],
};

/** Returns how many dashboards, reports, folders and data sources are stored, and the bytes of these, their versions and what belongs to them. */
export async function measureUsage(reader: Reader, tenant: Tenant): Promise<Amount> {
  const id = tenant.kind === 'organization' ? tenant.organizationId : tenant.userId;
  const usage = { records: 0, bytes: 0 };
  for (const query of records[tenant.kind]) {
    const row = await reader.first(query, { id });
    usage.records += Number(row?.count ?? 0);
    usage.bytes += Number(row?.bytes ?? 0);
  }
  for (const query of parts[tenant.kind])
    usage.bytes += Number((await reader.first(query, { id }))?.bytes ?? 0);
  return usage;
}

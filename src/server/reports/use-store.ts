import type { Reader } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';

const overSource = (db: Sql, p: { organizationId: string; dataSourceId: string }) =>
  db
    .selectFrom('reports')
    .where('organization_id', '=', p.organizationId)
    .where('data_source_id', '=', p.dataSourceId)
    .where('deleted_at', 'is', null);

const named = prepare((db, p: { organizationId: string; dataSourceId: string; limit: number }) =>
  overSource(db, p).select(['id', 'name']).orderBy('id').limit(p.limit),
);

const counted = prepare((db, p: { organizationId: string; dataSourceId: string }) =>
  overSource(db, p).select((sql) => sql.fn.countAll<number | string>().as('count')),
);

/** Returns the reports over a data source, up to `limit` by name, and how many there are; those in the trash left out. */
export async function selectReportsOver(
  reader: Reader,
  source: { readonly organizationId: string; readonly dataSourceId: string },
  limit: number,
): Promise<{ reports: { id: string; name: string }[]; reportCount: number }> {
  const reports = await reader.all(named, { ...source, limit });
  const row = await reader.first(counted, source);
  return { reports, reportCount: Number(row?.count ?? 0) };
}

import type { Reader } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';

const maxNamed = 100;

interface Source {
  readonly organizationId: string;
  readonly id: string;
}

const querying = (db: Sql, p: Source) =>
  db
    .selectFrom('reports')
    .where('organization_id', '=', p.organizationId)
    .where('data_source_id', '=', p.id)
    .where('deleted_at', 'is', null);

const named = prepare((db, p: Source) =>
  querying(db, p).select(['id', 'name']).orderBy('id').limit(maxNamed),
);

const counted = prepare((db, p: Source) =>
  querying(db, p).select((sql) => sql.fn.countAll<number | string>().as('count')),
);

/** Returns the reports that query a data source: up to 100 of them, and how many there are. Leaves out those in the trash. */
export async function findReportsOfSource(
  reader: Reader,
  { organizationId, id }: Source,
): Promise<{ reports: { id: string; name: string }[]; reportCount: number }> {
  const source = { organizationId, id };
  const reports = await reader.all(named, source);
  const row = await reader.first(counted, source);
  return { reports, reportCount: Number(row?.count ?? 0) };
}

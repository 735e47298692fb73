import { sql } from 'kysely';
import { scanSql } from '#shared/sql/scanner.ts';
import { mayOnRecordOfMember } from '../access/filter.ts';
import { keyOfPerson } from '../base/tenant.ts';
import { nextTurn } from '../base/turns.ts';
import type { Reader } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import type { ReportContent } from './content.ts';

const maxNamed = 100;
/** Few, since the contents of reports can be large. */
const reportsPerTurn = 10;

interface Source {
  readonly organizationId: string;
  readonly id: string;
  /** The member who asks. */
  readonly userId: string;
}

/** Whether the member may see a report. */
const mayView = (userId: string) => mayOnRecordOfMember('report', 'report.view', userId);

const querying = (db: Sql, p: Source) =>
  db
    .selectFrom('reports')
    .where('organization_id', '=', p.organizationId)
    .where('data_source_id', '=', p.id)
    .where('deleted_at', 'is', null);

const named = prepare((db, p: Source) =>
  querying(db, p).where(mayView(p.userId)).select(['id', 'name']).orderBy('id').limit(maxNamed),
);

const counted = prepare((db, p: Source & { countsAll: true | undefined }) =>
  querying(db, p)
    .$if(p.countsAll === undefined, (reports) => reports.where(mayView(p.userId)))
    .select(({ fn }) => fn.countAll<number | string>().as('count')),
);

const contents = prepare((db, p: Source & { after: string }) =>
  querying(db, p)
    .select([
      'id',
      'name',
      'content',
      sql<number>`case when ${mayView(p.userId)} then 1 else 0 end`.as('isVisible'),
    ])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(reportsPerTurn),
);

/** Whether a report's SQL names a table: as a word outside of strings and comments, in any case. */
function namesTable(query: string, table: string): boolean {
  const name = table.toLowerCase();
  if (!query.toLowerCase().includes(name)) return false;
  return scanSql(query).some(({ kind, start, end }) => {
    if (kind !== 'code' && kind !== 'identifier') return false;
    const part = query.slice(start, end).toLowerCase();
    return part.includes(name) && part.split(/[^\p{L}\p{N}_$]/u).includes(name);
  });
}

async function findReportsOfTable(
  reader: Reader,
  { countsAll, ...source }: Source & Counting,
  table: string,
): Promise<{ reports: { id: string; name: string }[]; reportCount: number }> {
  const reports: { id: string; name: string }[] = [];
  let reportCount = 0;
  for (let after = ''; ;) {
    const rows = await reader.all(contents, { ...source, after });
    for (const { id, name, content, isVisible } of rows) {
      if (isVisible === 0 && !countsAll) continue;
      // So that other requests don't wait until all of an organization's SQL is read.
      await nextTurn(keyOfPerson(source.userId));
      // Sound because only the store of reports writes the column.
      const { query, parameters } = JSON.parse(content) as ReportContent;
      const queries = [query, ...parameters.flatMap(({ allowed }) => allowed?.query ?? [])];
      if (!queries.some((text) => namesTable(text, table))) continue;
      reportCount += 1;
      if (isVisible === 1 && reports.length < maxNamed) reports.push({ id, name });
    }
    const last = rows.at(-1);
    if (rows.length < reportsPerTurn || last === undefined) return { reports, reportCount };
    after = last.id;
  }
}

interface Counting {
  /** Whether reports count that the member may not see, as they do for people who would break them. */
  readonly countsAll: boolean;
}

/**
 * Returns the reports that query a data source, or one of its tables: up to 100 that a member may see, and how many there are.
 * Leaves out those in the trash.
 */
export async function findReportsOfSource(
  reader: Reader,
  { table, ...source }: Source & Counting & { readonly table?: string },
): Promise<{ reports: { id: string; name: string }[]; reportCount: number }> {
  if (table !== undefined) return findReportsOfTable(reader, source, table);
  const reports = await reader.all(named, source);
  const row = await reader.first(counted, { ...source, countsAll: source.countsAll || undefined });
  return { reports, reportCount: Number(row?.count ?? 0) };
}

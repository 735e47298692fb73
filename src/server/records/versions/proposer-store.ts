import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** The proposer of a version that was accepted from a proposal. */
export interface Proposer {
  readonly userId: string;
  /** The name of the program that made the proposal for the user; undefined for a person. */
  readonly program: string | undefined;
}

interface VersionKey {
  readonly kind: 'dashboard' | 'report';
  readonly recordId: string;
  readonly version: number;
}

interface Row {
  dashboardId: string | null;
  reportId: string | null;
  version: number;
  userId: string;
  program: string | null;
}

const insert = prepare((db, p: Row) =>
  db.insertInto('proposed_versions').values({
    dashboard_id: p.dashboardId,
    report_id: p.reportId,
    version: p.version,
    user_id: p.userId,
    program: p.program,
  }),
);

/** Stores who proposed a version. */
export const insertProposer = (
  transaction: Transaction,
  { kind, recordId, version }: VersionKey,
  { userId, program }: Proposer,
): Promise<number> =>
  transaction.run(insert, {
    dashboardId: kind === 'dashboard' ? recordId : null,
    reportId: kind === 'report' ? recordId : null,
    version,
    userId,
    program: program ?? null,
  });

interface Range {
  recordId: string;
  from: number;
  to: number;
}

const proposersOf = (kind: VersionKey['kind']) =>
  prepare((db, p: Range) =>
    db
      .selectFrom('proposed_versions')
      .innerJoin('users', 'users.id', 'proposed_versions.user_id')
      .select(['proposed_versions.version', 'proposed_versions.program', 'users.name'])
      .where(`proposed_versions.${kind}_id`, '=', p.recordId)
      .where('proposed_versions.version', '>=', p.from)
      .where('proposed_versions.version', '<=', p.to),
  );
const queries = { dashboard: proposersOf('dashboard'), report: proposersOf('report') };

/** Returns the names of the programs or users that proposed versions of a record, by the number of the version. */
export async function selectProposers(
  reader: Reader,
  { kind, ...range }: Range & Pick<VersionKey, 'kind'>,
): Promise<Map<number, string>> {
  const rows = await reader.all(queries[kind], range);
  return new Map(rows.map(({ version, program, name }) => [version, program ?? name]));
}

import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import { reportColumns, toStored, type StoredReport } from '../store.ts';

interface Match {
  organizationId: string;
  documentId: string;
}

const selectOfOrganization = (db: Sql, p: { organizationId: string }) =>
  db.selectFrom('reports').select(reportColumns).where('organization_id', '=', p.organizationId);

const matchById = prepare((db, p: Match) =>
  selectOfOrganization(db, p).where('id', '=', p.documentId).forUpdate(),
);

const matchByOrigin = prepare((db, p: Match) =>
  selectOfOrganization(db, p).where('origin_id', '=', p.documentId).forUpdate(),
);

const ofOrganization = prepare((db, p: { organizationId: string; id: string }) =>
  selectOfOrganization(db, p).where('id', '=', p.id).where('deleted_at', 'is', null),
);

const origins = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('reports')
    .select((where) => ['id', where.ref('origin_id').$notNull().as('documentId')])
    .where('organization_id', '=', p.organizationId)
    .where('origin_id', 'is not', null),
);

const setOrigin = prepare((db, p: { id: string; originId: string }) =>
  db.updateTable('reports').set({ origin_id: p.originId }).where('id', '=', p.id),
);

/** A report that a document is about; it may be in the trash. */
export interface MatchedReport extends StoredReport {
  readonly isDeleted: boolean;
}

/**
 * Returns the report of an organization that has the id of a document, or that an import created from it, or undefined.
 * On PostgreSQL others that would change it wait.
 */
export async function lockMatchingReport(
  transaction: Transaction,
  match: Match,
): Promise<MatchedReport | undefined> {
  const row = (await transaction.first(matchById, match)) ?? (await transaction.first(matchByOrigin, match));
  return row && { ...toStored(row), isDeleted: row.deletedAt !== null };
}

/** Returns a report of an organization that is not in the trash, or undefined. */
export async function findReportOfOrganization(
  reader: Reader,
  place: { organizationId: string; id: string },
): Promise<StoredReport | undefined> {
  const row = await reader.first(ofOrganization, place);
  return row && toStored(row);
}

/** Lists the imported reports of an organization, the trash included, with the ids of their documents. */
export const selectReportOrigins = (
  reader: Reader,
  organizationId: string,
): Promise<{ id: string; documentId: string }[]> => reader.all(origins, { organizationId });

export const setReportOrigin = (
  transaction: Transaction,
  origin: { id: string; originId: string },
): Promise<number> => transaction.run(setOrigin, origin);

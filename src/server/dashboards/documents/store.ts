import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import { storedColumns, toReadable, type ReadableDashboard } from '../store.ts';

interface PlaceRange {
  organizationId: string;
  after: string;
  limit: number;
}

const placesById = prepare((db, p: PlaceRange) =>
  db
    .selectFrom('dashboards')
    .select(['id', 'id as documentId'])
    .where('organization_id', '=', p.organizationId)
    .where('origin_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

const placesByOrigin = prepare((db, p: PlaceRange) =>
  db
    .selectFrom('dashboards')
    .select((where) => ['id', where.ref('origin_id').$notNull().as('documentId')])
    .where('organization_id', '=', p.organizationId)
    .where('origin_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('origin_id', '>', p.after)
    .orderBy('origin_id')
    .limit(p.limit),
);

interface Match {
  organizationId: string;
  documentId: string;
  userId: string;
}

const selectOfOrganization = (db: Sql, p: Pick<Match, 'organizationId' | 'userId'>) =>
  db
    .selectFrom('dashboards')
    .leftJoin('dashboard_shares', (join) =>
      join
        .onRef('dashboard_shares.dashboard_id', '=', 'dashboards.id')
        .on('dashboard_shares.user_id', '=', p.userId),
    )
    .select([...storedColumns, 'dashboards.deleted_at as deletedAt', 'dashboard_shares.access as share'])
    .where('dashboards.organization_id', '=', p.organizationId);

const matchById = prepare((db, p: Match) =>
  selectOfOrganization(db, p).where('dashboards.id', '=', p.documentId).forUpdate('dashboards'),
);

const matchByOrigin = prepare((db, p: Match) =>
  selectOfOrganization(db, p).where('dashboards.origin_id', '=', p.documentId).forUpdate('dashboards'),
);

const ofOrganization = prepare((db, p: { organizationId: string; id: string }) =>
  selectOfOrganization(db, { organizationId: p.organizationId, userId: '' })
    .where('dashboards.id', '=', p.id)
    .where('dashboards.deleted_at', 'is', null),
);

const setOrigin = prepare((db, p: { id: string; originId: string }) =>
  db.updateTable('dashboards').set({ origin_id: p.originId }).where('id', '=', p.id),
);

/** A dashboard, and the id that its document has. */
export interface DocumentPlace {
  readonly id: string;
  readonly documentId: string;
}

/** Lists, each by the ids of the documents, the dashboards that were made here and those that were imported. */
export const documentPlaces = [placesById, placesByOrigin].map(
  (query) =>
    (reader: Reader, range: PlaceRange): Promise<DocumentPlace[]> =>
      reader.all(query, range),
);

/** A dashboard that a document is about; it may be in the trash. */
export interface MatchedDashboard extends Omit<ReadableDashboard, 'role'> {
  readonly isDeleted: boolean;
}

/**
 * Returns the dashboard of an organization that has the id of a document, or that an import created from it, whoever
 * sees it, with what `userId` is named for on it. On PostgreSQL others that would change it wait.
 */
export async function lockMatchingDashboard(
  transaction: Transaction,
  match: Match,
): Promise<MatchedDashboard | undefined> {
  const row = (await transaction.first(matchById, match)) ?? (await transaction.first(matchByOrigin, match));
  return (
    row && { ...toReadable({ ...row, role: null, requireSso: null }), isDeleted: row.deletedAt !== null }
  );
}

/** Returns a dashboard of an organization that is not in the trash, whoever sees it, or undefined. */
export async function findDashboardOfOrganization(
  reader: Reader,
  place: { organizationId: string; id: string },
): Promise<ReadableDashboard | undefined> {
  const row = await reader.first(ofOrganization, place);
  return row && toReadable({ ...row, role: null, requireSso: null });
}

export const setDashboardOrigin = (
  transaction: Transaction,
  origin: { id: string; originId: string },
): Promise<number> => transaction.run(setOrigin, origin);

import type { Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A dashboard, and the id that its document has. */
export interface DocumentPlace {
  readonly id: string;
  readonly documentId: string;
}

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

/** Lists, each by the ids of the documents, the dashboards that were made here and those that were imported. */
export const documentPlaces = [placesById, placesByOrigin].map(
  (query) =>
    (reader: Reader, range: PlaceRange): Promise<DocumentPlace[]> =>
      reader.all(query, range),
);

import type { Reader } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';

interface PlaceRange {
  organizationId: string;
  after: string;
  limit: number;
}

const selectInUse = (db: Sql, p: PlaceRange) =>
  db
    .selectFrom('dashboards')
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .limit(p.limit);

/** Each part has its own limit, so that it reads only the beginning of its index before both are sorted together. */
const places = prepare((db, p: PlaceRange) =>
  db
    .selectFrom(
      selectInUse(db, p)
        .select(['id', 'id as documentId'])
        .where('origin_id', 'is', null)
        .where('id', '>', p.after)
        .orderBy('id')
        .as('created'),
    )
    .selectAll()
    .unionAll(
      db
        .selectFrom(
          selectInUse(db, p)
            .select((where) => ['id', where.ref('origin_id').$notNull().as('documentId')])
            .where('origin_id', '>', p.after)
            .orderBy('origin_id')
            .as('imported'),
        )
        .selectAll(),
    )
    .orderBy('documentId')
    .limit(p.limit),
);

/**
 * Lists dashboards of an organization with the IDs of their documents, sorted by them: a dashboard's own ID, or the ID of the
 * document that it was imported from.
 */
export const selectPlaces = (
  reader: Reader,
  range: PlaceRange,
): Promise<{ id: string; documentId: string }[]> => reader.all(places, range);

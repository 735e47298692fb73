import { sql, type Expression, type SqlBool } from 'kysely';
import type { Reader } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import type { RecordTableName } from './store.ts';

/** Which trash to list: that of organizations, and that of a user's personal records if `ownerId` is given. */
export interface TrashScope {
  readonly userId: string;
  readonly organizationIds: readonly string[];
  readonly ownerId: string | undefined;
}

/** A position in the trash, which is sorted by the time of deletion, newest first. */
export interface TrashPosition {
  readonly at: string;
  readonly id: string;
}

/** A record in the trash. */
export interface TrashRow {
  readonly id: string;
  readonly userId: string;
  readonly organizationId: string | null;
  readonly name: string;
  readonly description: string | null;
  /** Only of reports. */
  readonly dataSourceId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string;
  readonly deletedBy: string;
  /** Empty if that user no longer exists. */
  readonly deletedByName: string;
}

export interface TrashStore {
  /** Returns the positions of up to `limit` records after `after` that the user may restore. */
  selectPositions(
    reader: Reader,
    scope: TrashScope,
    range: { after: TrashPosition | undefined; limit: number },
  ): Promise<(TrashPosition & { readonly sizeBytes: number })[]>;
  /** Returns the records with these ids that are in the trash, in its order. */
  selectRows(reader: Reader, ids: readonly string[]): Promise<TrashRow[]>;
}

/** Returns the queries of the trash of one kind of record. */
export function trashStore(
  table: RecordTableName,
  mayEdit: (userId: string) => Expression<SqlBool>,
): TrashStore {
  // Sound because both tables have the columns that this file uses.
  const records = table as 'dashboards';
  const column = <Name extends keyof Tables['dashboards']>(name: Name) => `${records}.${name}` as const;
  const [name, description] = [sql.ref(column('name')), sql.ref(column('description'))];
  const dataSourceId = sql<
    string | null
  >`${table === 'reports' ? sql.ref('reports.data_source_id') : sql.lit(null)}`;
  const position = sql`(${sql.ref(column('deleted_at'))}, ${sql.ref(column('id'))})`;

  const selectDeleted = (db: Sql, after: Partial<TrashPosition>) =>
    db
      .selectFrom(records)
      .select([
        column('id'),
        `${column('deleted_at')} as at`,
        sql<number>`octet_length(${name}) + coalesce(octet_length(${description}), 0)`.as('sizeBytes'),
      ])
      .where(column('deleted_at'), 'is not', null)
      .$if(after.at !== undefined, (query) =>
        query.where(sql<boolean>`${position} < (${after.at}, ${after.id})`),
      );

  const ofOrganizations = (db: Sql, p: TrashScope & Partial<TrashPosition>) =>
    selectDeleted(db, p).where(column('organization_id'), 'in', p.organizationIds).where(mayEdit(p.userId));

  const positions = prepare((db, p: TrashScope & Partial<TrashPosition> & { limit: number }) =>
    // Two selects rather than one with `or`, so that each has its index.
    (p.ownerId === undefined
      ? ofOrganizations(db, p)
      : ofOrganizations(db, p).unionAll(
          selectDeleted(db, p)
            .where(column('user_id'), '=', p.ownerId)
            .where(column('organization_id'), 'is', null),
        )
    )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit),
  );

  const rows = prepare((db, p: { ids: readonly string[] }) =>
    db
      .selectFrom(records)
      .leftJoin('users', 'users.id', column('deleted_by'))
      .select([
        column('id'),
        `${column('user_id')} as userId`,
        `${column('organization_id')} as organizationId`,
        column('name'),
        column('description'),
        dataSourceId.as('dataSourceId'),
        `${column('created_at')} as createdAt`,
        `${column('updated_at')} as updatedAt`,
        `${column('deleted_at')} as deletedAt`,
        `${column('deleted_by')} as deletedBy`,
        'users.name as deletedByName',
      ])
      .where(column('id'), 'in', p.ids)
      .where(column('deleted_at'), 'is not', null)
      .orderBy(column('deleted_at'), 'desc')
      .orderBy(column('id'), 'desc'),
  );

  return {
    async selectPositions(reader, scope, { after, limit }) {
      const found = await reader.all(positions, { ...scope, ...after, limit });
      return found.map(({ at, ...row }) => ({ ...row, at: at ?? '' }));
    },
    async selectRows(reader, ids) {
      const found = await reader.all(rows, { ids });
      return found.map(({ deletedAt, deletedBy, deletedByName, ...row }) => ({
        ...row,
        deletedAt: deletedAt ?? '',
        deletedBy: deletedBy ?? '',
        deletedByName: deletedByName ?? '',
      }));
    },
  };
}

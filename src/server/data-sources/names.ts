import { sql } from 'kysely';
import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import { mayOnRecordOfMember } from '../access/filter.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** The name and kind of a data source, which identify it in another organization or on another server. */
export interface DataSourceName {
  readonly name: string;
  readonly kind: DataSourceKind;
}

const byId = prepare((db, p: { organizationId: string; id: string; userId: string }) =>
  db
    .selectFrom('data_sources')
    .select([
      'kind',
      sql<number>`case when ${mayOnRecordOfMember('data_source', 'data_source.use', p.userId)} then 1 else 0 end`.as(
        'mayUse',
      ),
    ])
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .forShare(),
);

/**
 * Returns the kind of a data source of an organization, and whether a member may query it, and locks it until the transaction
 * ends; undefined if there is none outside of the trash.
 */
export async function holdDataSource(
  transaction: Transaction,
  source: { readonly organizationId: string; readonly id: string; readonly userId: string },
): Promise<{ readonly kind: DataSourceKind; readonly mayUse: boolean } | undefined> {
  const row = await transaction.first(byId, source);
  // Sound because the kind was validated when it was stored.
  return row && { kind: row.kind as DataSourceKind, mayUse: row.mayUse === 1 };
}

const usable = prepare((db, p: { organizationId: string; id: string; userId: string }) =>
  db
    .selectFrom('data_sources')
    .select('id')
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where(mayOnRecordOfMember('data_source', 'data_source.use', p.userId)),
);

/** Returns whether a member may query a data source of the organization. */
export const mayUseDataSource = async (
  reader: Reader,
  source: { readonly organizationId: string; readonly id: string; readonly userId: string },
): Promise<boolean> => (await reader.first(usable, source)) !== undefined;

const byNameAndKind = prepare((db, p: DataSourceName & { organizationId: string; userId: string }) =>
  db
    .selectFrom('data_sources')
    .select('id')
    .where('organization_id', '=', p.organizationId)
    .where(mayOnRecordOfMember('data_source', 'data_source.use', p.userId))
    .where('deleted_at', 'is', null)
    .where('name', '=', p.name)
    .where('kind', '=', p.kind)
    .orderBy('id')
    .limit(2)
    .forShare(),
);

/**
 * Returns the ids of the data sources of an organization that have a name and a kind and that a member may query, at most two, and locks them until the
 * transaction ends.
 */
export const holdDataSourcesNamed = async (
  transaction: Transaction,
  scope: { readonly organizationId: string; readonly userId: string },
  { name, kind }: DataSourceName,
): Promise<string[]> => (await transaction.all(byNameAndKind, { ...scope, name, kind })).map(({ id }) => id);

const nameOf = prepare((db, p: { organizationId: string; id: string; userId: string | undefined }) =>
  db
    .selectFrom('data_sources')
    .select(['name', 'kind'])
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .$if(p.userId !== undefined, (sources) =>
      // Sound because of the condition.
      sources.where(mayOnRecordOfMember('data_source', 'data_source.view', p.userId as string)),
    ),
);

/** Returns the name and the kind of a data source of an organization, or undefined; of those that a member may see with `userId`. */
export async function findDataSourceName(
  reader: Reader,
  organizationId: string,
  id: string,
  userId?: string,
): Promise<DataSourceName | undefined> {
  const row = await reader.first(nameOf, { organizationId, id, userId });
  // Sound because the kind was validated when it was stored.
  return row && { name: row.name, kind: row.kind as DataSourceKind };
}

const byName = prepare((db, p: { organizationId: string; name: string }) =>
  db
    .selectFrom('data_sources')
    .select(['id', 'kind'])
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .where('name', '=', p.name)
    .orderBy('id')
    .limit(2),
);

/** Returns the data sources of an organization that have a name, at most two. */
export async function findDataSourcesNamed(
  reader: Reader,
  organizationId: string,
  name: string,
): Promise<{ readonly id: string; readonly kind: DataSourceKind }[]> {
  const rows = await reader.all(byName, { organizationId, name });
  // Sound because the kind was validated when it was stored.
  return rows.map(({ id, kind }) => ({ id, kind: kind as DataSourceKind }));
}

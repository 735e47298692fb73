import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** The name and kind of a data source, which identify it in another organization or on another server. */
export interface DataSourceName {
  readonly name: string;
  readonly kind: DataSourceKind;
}

const byId = prepare((db, p: { organizationId: string; id: string }) =>
  db
    .selectFrom('data_sources')
    .select('kind')
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .forShare(),
);

/**
 * Returns the kind of a data source of an organization, and locks it until the transaction ends; undefined if there is none
 * outside of the trash.
 */
export async function holdDataSource(
  transaction: Transaction,
  organizationId: string,
  id: string,
): Promise<DataSourceKind | undefined> {
  const row = await transaction.first(byId, { organizationId, id });
  // Sound because the kind was validated when it was stored.
  return row?.kind as DataSourceKind | undefined;
}

const byNameAndKind = prepare((db, p: { organizationId: string; name: string; kind: DataSourceKind }) =>
  db
    .selectFrom('data_sources')
    .select('id')
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null)
    .where('name', '=', p.name)
    .where('kind', '=', p.kind)
    .orderBy('id')
    .limit(2)
    .forShare(),
);

/**
 * Returns the ids of the data sources of an organization that have a name and a kind, at most two, and locks them until the
 * transaction ends.
 */
export const holdDataSourcesNamed = async (
  transaction: Transaction,
  organizationId: string,
  { name, kind }: DataSourceName,
): Promise<string[]> =>
  (await transaction.all(byNameAndKind, { organizationId, name, kind })).map(({ id }) => id);

const nameOf = prepare((db, p: { organizationId: string; id: string }) =>
  db
    .selectFrom('data_sources')
    .select(['name', 'kind'])
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null),
);

/** Returns the name and the kind of a data source of an organization, or undefined. */
export async function findDataSourceName(
  reader: Reader,
  organizationId: string,
  id: string,
): Promise<DataSourceName | undefined> {
  const row = await reader.first(nameOf, { organizationId, id });
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

import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface NamedSource {
  organizationId: string;
  name: string;
  kind: DataSourceKind;
}

const named = prepare((db, p: NamedSource) =>
  db
    .selectFrom('data_sources')
    .select('id')
    .where('organization_id', '=', p.organizationId)
    .where('name', '=', p.name)
    .where('kind', '=', p.kind)
    .orderBy('id')
    .limit(2)
    .forShare(),
);

/** Returns the ids of the data sources of an organization with a name and a kind, up to two of them, which stay so. */
export const lockSourcesNamed = async (transaction: Transaction, source: NamedSource): Promise<string[]> =>
  (await transaction.all(named, source)).map(({ id }) => id);

const nameOf = prepare((db, p: { organizationId: string; id: string }) =>
  db
    .selectFrom('data_sources')
    .select(['name', 'kind'])
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId),
);

/** Returns the name and the kind of a data source of an organization, or undefined. */
export async function findSourceName(
  reader: Reader,
  source: { organizationId: string; id: string },
): Promise<{ name: string; kind: DataSourceKind } | undefined> {
  const row = await reader.first(nameOf, source);
  // Sound because the kind was validated when it was stored.
  return row && { name: row.name, kind: row.kind as DataSourceKind };
}

import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { findSourceName, lockSourcesNamed } from './name-store.ts';

/** By what people tell a data source in another organization, or on another server. */
export interface DataSourceName {
  readonly name: string;
  readonly kind: DataSourceKind;
}

/**
 * Returns the ids of the data sources of an organization that a name and a kind mean, up to two of them. They stay until
 * the transaction ends.
 */
export const holdDataSourcesNamed = (
  transaction: Transaction,
  organizationId: string,
  { name, kind }: DataSourceName,
): Promise<string[]> => lockSourcesNamed(transaction, { organizationId, name, kind });

/** Returns the name and the kind of a data source of an organization, or undefined. */
export const findDataSourceName = (
  reader: Reader,
  organizationId: string,
  id: string,
): Promise<DataSourceName | undefined> => findSourceName(reader, { organizationId, id });

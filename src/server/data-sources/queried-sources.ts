import type { SecretBox } from '../base/secret-box.ts';
import type { FindAddresses } from '../outgoing/checked-addresses.ts';
import type { QueriedSource } from '../results/results.ts';
import type { Reader } from '../storage/database.ts';
import { sourceKinds } from './kinds/registry.ts';
import { openPassword } from './passwords.ts';
import { findSourceForQuery } from './tables/table-store.ts';

/** Dependencies of reaching data sources. */
export interface ReachDependencies {
  readonly secretBox: SecretBox;
  readonly findAddresses: FindAddresses;
  /** The directory with the uploaded tables of all organizations. */
  readonly directory: string;
}

/** Returns a data source of an organization, or undefined. The caller checks who may query it. */
export async function findQueriedSource(
  { secretBox, findAddresses, directory }: ReachDependencies,
  reader: Reader,
  organizationId: string,
  dataSourceId: string,
): Promise<QueriedSource | undefined> {
  const stored = await findSourceForQuery(reader, organizationId, dataSourceId);
  if (stored === undefined) return undefined;
  const { id, updatedAt, tables } = stored;
  return {
    version: JSON.stringify([id, updatedAt, tables]),
    describe: () =>
      sourceKinds[stored.kind].describe(stored, {
        directory,
        findAddresses,
        openPassword: (of) => openPassword(secretBox, of),
      }),
  };
}

import { AtriumError } from '../base/errors.ts';
import type { SecretBox } from '../base/credentials/secret-box.ts';
import type { FindAddresses } from '../outgoing/checked-addresses.ts';
import type { QueriedSource } from '../results/results.ts';
import type { Reader } from '../storage/database.ts';
import { sourceKinds } from './kinds/registry.ts';
import { openPassword } from './passwords.ts';
import { fetchTables } from './tables/fetch.ts';
import type { SourceFiles } from './tables/files.ts';
import { findSourceForQuery } from './tables/table-store.ts';
import { selectDeletedNames } from './tables/trash-store.ts';
import { findInTrash } from './trash-store.ts';

/** Dependencies of reaching data sources. */
export interface ReachDependencies {
  readonly secretBox: SecretBox;
  readonly findAddresses: FindAddresses;
  readonly files: Pick<SourceFiles, 'directory' | 'remote'>;
}

/** Returns a data source of an organization, or undefined. The caller checks who may query it. Throws `query_failed` if it is in the trash. */
export async function findQueriedSource(
  { secretBox, findAddresses, files }: ReachDependencies,
  reader: Reader,
  organizationId: string,
  dataSourceId: string,
): Promise<QueriedSource | undefined> {
  const stored = await findSourceForQuery(reader, organizationId, dataSourceId);
  if (stored === undefined) {
    await requireNotInTrash(reader, organizationId, dataSourceId);
    return undefined;
  }
  const { id, updatedAt, tables } = stored;
  return {
    id,
    version: JSON.stringify([id, updatedAt, tables]),
    describe: async () => {
      const deletedTables = await selectDeletedNames(reader, id);
      const unavailableTables =
        files.remote === undefined ? [] : await fetchTables(files.remote, reader, stored);
      return sourceKinds[stored.kind].describe(
        { ...stored, deletedTables, unavailableTables },
        { directory: files.directory, findAddresses, openPassword: (of) => openPassword(secretBox, of) },
      );
    },
  };
}

async function requireNotInTrash(reader: Reader, organizationId: string, id: string): Promise<void> {
  const found = await findInTrash(reader, organizationId, id);
  if (found === undefined) return;
  // People who may run a report needn't see its data source.
  const what =
    found.name === undefined ? 'The data source of this report' : `The data source “${found.name}”`;
  throw new AtriumError('query_failed', `${what} is in the trash. Restore it to run this report.`);
}

import { hash } from 'node:crypto';
import type { SecretBox } from '../base/secret-box.ts';
import type { FindAddresses } from '../outgoing/checked-addresses.ts';
import type { SourceDescription } from '../engine/source-description.ts';
import type { Reader } from '../storage/database.ts';
import { sourceKinds } from './kinds/registry.ts';
import { openPassword } from './passwords.ts';
import { findSourceForQuery } from './tables/table-store.ts';

/** What reaching sources takes. */
export interface ReachNeeds {
  readonly secretBox: SecretBox;
  readonly findAddresses: FindAddresses;
  /** Where the files of all organizations lie. */
  readonly directory: string;
}

/** A data source as queries need it. */
export interface QueriedSource {
  /** Another whenever its data may have changed by what Atrium did. */
  readonly version: string;
  /**
   * Returns what the query engine reaches it by. It opens the password and looks the address up: for a query that is
   * about to run, not for an answer that is there already. Throws `source_unreachable` when either is of no use.
   */
  describe(): Promise<SourceDescription>;
}

/** Returns a data source of an organization, or undefined when it has none of this id. Who may ask is the caller's affair. */
export async function findQueriedSource(
  { secretBox, findAddresses, directory }: ReachNeeds,
  reader: Reader,
  organizationId: string,
  dataSourceId: string,
): Promise<QueriedSource | undefined> {
  const stored = await findSourceForQuery(reader, organizationId, dataSourceId);
  if (stored === undefined) return undefined;
  const { id, updatedAt, tables } = stored;
  const version = hash('sha256', JSON.stringify([id, updatedAt, tables]), 'base64url');
  return {
    version,
    describe: () =>
      sourceKinds[stored.kind].describe(stored, {
        directory,
        findAddresses,
        openPassword: (of) => openPassword(secretBox, of),
      }),
  };
}

import type { SourceOfKind } from '#contract/data-sources/kinds.ts';
import type { Fault } from '#contract/problem.ts';
import type { Action } from '#shared/permissions.ts';
import type { SourceDescription } from '../../engine/source-description.ts';
import type { StoredConnection } from '../store.ts';
import type { SourceForQuery } from '../tables/table-store.ts';

/** Everything on the server that differs between kinds of data sources. Each has a folder here, and a line in registry.ts. */
export interface SourceKind {
  /** The permission to create, change, test and delete one. */
  readonly manage: Action;
  /** Whether it has tables that people upload. */
  readonly hasUploads: boolean;
  /** Returns a name in quotes, for a query. */
  quoteName(name: string): string;
  /** Returns the connection as it is stored, the password that was sent with it, and what is wrong with it. */
  readConnection(input: SourceOfKind<'input'>): ReadConnection;
  /** Returns whether a stored password stays when a stored connection of this kind changes to another one. */
  mayKeepPassword?(before: StoredConnection, after: StoredConnection): boolean;
  /** Returns what the query engine needs to reach a source of this kind. Throws `source_unreachable`. */
  describe(source: SourceForQuery, reach: SourceReach): Promise<SourceDescription>;
}

export interface ReadConnection {
  readonly connection?: StoredConnection;
  readonly password?: string | undefined;
  readonly faults: readonly Fault[];
}

/** What the server has to reach sources with. */
export interface SourceReach {
  /** Where the files of organizations are. */
  readonly directory: string;
  /** Returns where a host leads, checked. Throws `OutgoingError`. */
  findAddresses(host: string, port: number): Promise<string[]>;
  /** Returns the password of a source; empty when it has none. Throws `source_unreachable`. */
  openPassword(source: Pick<SourceForQuery, 'organizationId' | 'password'>): string;
}

import type { SourceOfKind } from '#contract/data-sources/kinds.ts';
import type { Fault } from '#contract/problem.ts';
import type { Action } from '#shared/permissions.ts';
import type { SourceDescription } from '../../engine/source-description.ts';
import type { StoredConnection } from '../store.ts';
import type { SourceForQuery } from '../tables/table-store.ts';

/** Everything on the server that differs between kinds of data sources. Each kind has a folder here and a line in registry.ts. */
export interface SourceKind {
  /** The permission to create a source of this kind. */
  readonly manage: Action;
  /** The permission to change, test and delete one. */
  readonly edit: Action;
  /** Whether people upload its tables. */
  readonly hasUploads: boolean;
  /** Returns a table or schema name in quotes, for SQL. */
  quoteName(name: string): string;
  /** Returns the connection to store, the password that was sent with it, and the faults of both. */
  readConnection(input: SourceOfKind<'input'>): ReadConnection;
  /** Returns whether the stored password may be kept when the stored connection changes. */
  mayKeepPassword?(before: StoredConnection, after: StoredConnection): boolean;
  /** Returns everything that the query engine needs to query a source. Throws `source_unreachable`. */
  describe(source: SourceForQuery, access: SourceAccess): Promise<SourceDescription>;
}

export interface ReadConnection {
  readonly connection?: StoredConnection;
  readonly password?: string | undefined;
  readonly faults: readonly Fault[];
}

/** Everything that the server uses to reach sources. */
export interface SourceAccess {
  /** The directory with the uploaded tables of all organizations. */
  readonly directory: string;
  /** Returns the addresses of a host that the server may connect to for an organization. Throws `OutgoingError`. */
  findAddresses(host: string, port: number, organizationId: string): Promise<string[]>;
  /** Returns the password of a source, which is empty if it has none. Throws `source_unreachable`. */
  openPassword(source: Pick<SourceForQuery, 'organizationId' | 'password'>): string;
}

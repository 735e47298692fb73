import type { ConnectionInput } from '#contract/data-sources.ts';
import type { Fault } from '#contract/problem.ts';
import type { Action } from '#shared/permissions.ts';
import type { SourceDescription } from '../../engine/source-description.ts';
import type { StoredConnection } from '../store.ts';
import type { SourceForQuery } from '../tables/table-store.ts';

/** All that differs from one kind of data source to another. A new kind is one of these, listed in source-kinds.ts. */
export interface SourceKind {
  /** The permission to create, change, test and delete one. */
  readonly manage: Action;
  /** Whether it has tables that people upload. */
  readonly hasUploads: boolean;
  /** Returns the connection in the form in which it is stored, and what is wrong with it. */
  readConnection(input: ConnectionInput | undefined): {
    readonly connection: StoredConnection | undefined;
    readonly faults: readonly Fault[];
  };
  /** Returns what the query engine reaches it by. Throws `source_unreachable`. */
  describe(source: SourceForQuery, reach: SourceReach): Promise<SourceDescription>;
}

/** What the server has for reaching sources. */
export interface SourceReach {
  /** Where the files of organizations lie. */
  readonly directory: string;
  /** Returns where a host leads, checked. Throws `OutgoingError`. */
  findAddresses(host: string, port: number): Promise<string[]>;
  /** Returns the password of a source; empty when it has none. Throws `source_unreachable`. */
  openPassword(source: Pick<SourceForQuery, 'organizationId' | 'password'>): string;
}

import type { Action } from '../permissions.ts';

/** The permission to create a source that is a database server. */
export const managePostgresql: Action = 'data_source.manage_server';

/** The permission to change, test and delete one. */
export const editPostgresql: Action = 'data_source.edit_server';

/** How the connection is encrypted, least safe first: not at all, without checking the certificate, or as in a browser. */
export const tlsModes = ['off', 'require', 'verify'] as const;

/** An account on a server, and how the connection to it is secured. */
export interface PostgresqlAccount {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly tls: (typeof tlsModes)[number];
}

/**
 * Returns whether the stored password may still be used after a connection was changed: only for the same account on the same
 * server, since a changed address must never receive it, and only if the connection is at least as safe as before, since anyone
 * who can listen on a less safe one would receive it, too.
 */
export const mayKeepPassword = (before: PostgresqlAccount, after: PostgresqlAccount): boolean =>
  before.host === after.host &&
  before.port === after.port &&
  before.database === after.database &&
  before.user === after.user &&
  tlsModes.indexOf(before.tls) <= tlsModes.indexOf(after.tls);

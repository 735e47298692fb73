import type { DataSource } from '#contract/data-sources/data-sources.ts';
import type { SourceOfKind } from '#contract/data-sources/kinds.ts';
import { mayKeepPassword } from '#shared/data-sources/postgresql.ts';

export type PostgresqlSource = Extract<DataSource, { kind: 'postgresql' }>;
type Connection = PostgresqlSource['connection'];

/** The values of the connection form. */
export interface TypedConnection {
  readonly host: string;
  readonly port: string | number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: Connection['tls'];
}

export const emptyConnection: TypedConnection = {
  host: '',
  port: 5432,
  database: '',
  user: '',
  password: '',
  tls: 'verify',
};

/** Returns the values of the form for a connection, without its password, which is never shown. */
export const typedFrom = ({ host, port, database, user, tls }: Connection): TypedConnection => ({
  ...emptyConnection,
  host,
  port,
  database,
  user,
  tls,
});

/** Returns the part of the request body for the values of the form. An empty password is left out, which keeps the stored one. */
export const inputOf = ({ password, port, ...rest }: TypedConnection): SourceOfKind<'input'> => ({
  kind: 'postgresql',
  connection: { ...rest, port: Number(port), ...(password !== '' && { password }) },
});

/** Returns whether saving this deletes the stored password, because it was entered for another server or a safer connection. */
export const losesPassword = (stored: Connection, typed: TypedConnection): boolean =>
  stored.hasPassword &&
  typed.password === '' &&
  !mayKeepPassword(stored, { ...typed, port: Number(typed.port) });

/** The JSON pointers of the fields in the form. */
export const connectionPointers = ['host', 'port', 'database', 'user', 'password', 'tls'].map(
  (name) => `/connection/${name}`,
);

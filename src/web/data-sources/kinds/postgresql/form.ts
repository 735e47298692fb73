import type { DataSource } from '#contract/data-sources.ts';
import type { SourceOfKind } from '#contract/data-sources/kinds.ts';
import { mayKeepPassword } from '#shared/data-sources/postgresql.ts';

export type PostgresqlSource = Extract<DataSource, { kind: 'postgresql' }>;
type Connection = PostgresqlSource['connection'];

/** What is typed into the form of a connection. */
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

/** Returns the values of the form for a connection, without its password, which nobody is shown. */
export const typedFrom = ({ host, port, database, user, tls }: Connection): TypedConnection => ({
  ...emptyConnection,
  host,
  port,
  database,
  user,
  tls,
});

/** Returns what is sent. A password that nobody typed is left out, which keeps the stored one. */
export const inputOf = ({ password, port, ...rest }: TypedConnection): SourceOfKind<'input'> => ({
  kind: 'postgresql',
  connection: { ...rest, port: Number(port), ...(password !== '' && { password }) },
});

/** Returns whether saving this deletes the stored password, because it was entered for another server or a safer connection. */
export const losesPassword = (stored: Connection, typed: TypedConnection): boolean =>
  stored.hasPassword &&
  typed.password === '' &&
  !mayKeepPassword(stored, { ...typed, port: Number(typed.port) });

/** The pointers of the fields that the form has. */
export const connectionPointers = ['host', 'port', 'database', 'user', 'password', 'tls'].map(
  (name) => `/connection/${name}`,
);

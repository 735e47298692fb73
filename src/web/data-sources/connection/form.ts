import type { Connection, ConnectionInput } from '#contract/data-sources.ts';

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

/** Returns a connection as it stands in the form: without its password, which nobody is shown. */
export const typedFrom = ({ host, port, database, user, tls }: Connection): TypedConnection => ({
  ...emptyConnection,
  host,
  port,
  database,
  user,
  tls,
});

/** Returns what is sent. A password that nobody typed is left out, which keeps the stored one. */
export const connectionOf = ({ password, port, ...rest }: TypedConnection): ConnectionInput => ({
  ...rest,
  port: Number(port),
  ...(password !== '' && { password }),
});

/** By how much each kind of encryption keeps others out. */
const safety: Readonly<Record<Connection['tls'], number>> = { off: 0, require: 1, verify: 2 };

/** Whether the stored password goes when this is saved: to another server than it was given for, or by a way less safe. */
export const losesPassword = (stored: Connection, typed: TypedConnection): boolean =>
  stored.hasPassword &&
  typed.password === '' &&
  (stored.host !== typed.host ||
    stored.port !== Number(typed.port) ||
    stored.database !== typed.database ||
    stored.user !== typed.user ||
    safety[typed.tls] < safety[stored.tls]);

/** The pointers of the fields that the form has. */
export const connectionPointers = ['host', 'port', 'database', 'user', 'password', 'tls'].map(
  (name) => `/connection/${name}`,
);

import { Type, type Static, type TSchema } from 'typebox';
import { postgresqlConnection } from './postgresql.ts';

/** The kinds of data sources, each with the schemas of its connection: as clients send it, and as the API returns it. */
export const connections = {
  files: undefined,
  postgresql: postgresqlConnection,
};

type Connections = typeof connections;
export type DataSourceKind = keyof Connections;
/** Sound because the object has no other keys. */
export const dataSourceKinds = Object.keys(connections) as readonly DataSourceKind[];

/** Returns the schema of a connection of any kind. The server's rules check that it is of the right kind. */
export const unionOfConnections = (form: 'input' | 'stored'): TSchema =>
  Type.Union(Object.values(connections).flatMap((connection) => connection?.[form] ?? []));

type ConnectionOf<
  Kind extends DataSourceKind,
  Form extends 'input' | 'stored',
> = Connections[Kind] extends object
  ? { connection: Static<Connections[Kind][Form]> }
  : { connection?: undefined };

/** A kind and its connection: `input` as clients send it, `stored` as the API returns it. */
export type SourceOfKind<Form extends 'input' | 'stored'> = {
  [Kind in DataSourceKind]: { kind: Kind } & ConnectionOf<Kind, Form>;
}[DataSourceKind];

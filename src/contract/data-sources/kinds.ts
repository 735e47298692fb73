import { Type, type Static, type TSchema } from 'typebox';
import { postgresqlConnection } from './postgresql.ts';

/** The kinds of data sources, each with the schemas of its connection: as it is sent, and as it is returned. */
export const connections = {
  files: undefined,
  postgresql: postgresqlConnection,
};

type Connections = typeof connections;
export type DataSourceKind = keyof Connections;
/** Sound because the object has no other keys. */
export const dataSourceKinds = Object.keys(connections) as readonly DataSourceKind[];

/** Returns the schema of a connection of any kind. Which kind it must be of is left to the rules. */
export const unionOfConnections = (form: 'input' | 'stored'): TSchema =>
  Type.Union(Object.values(connections).flatMap((connection) => connection?.[form] ?? []));

type ConnectionOf<
  Kind extends DataSourceKind,
  Form extends 'input' | 'stored',
> = Connections[Kind] extends object
  ? { connection: Static<Connections[Kind][Form]> }
  : { connection?: undefined };

/** A kind and its connection: `input` as it is sent, `stored` as it is returned. */
export type SourceOfKind<Form extends 'input' | 'stored'> = {
  [Kind in DataSourceKind]: { kind: Kind } & ConnectionOf<Kind, Form>;
}[DataSourceKind];

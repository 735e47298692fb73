import { DummyDriver, Kysely, type Compilable, type CompiledQuery, type Dialect } from 'kysely';
import type { Tables } from './tables.ts';

export type Sql = Kysely<Tables>;

/** A query written once for both engines: built at its first use on each, then only bound and run. */
export interface PreparedQuery<Parameters, Row> {
  readonly build: (sql: Sql, parameters: Parameters) => Compilable<Row>;
}

/**
 * Declares a query. `build` may hand its parameters on as bound values alone (it is called once an engine, with
 * stand-ins), so what decides the form of a query never comes from them: that takes a second query.
 */
export function prepare<Row, Parameters = object>(
  build: (sql: Sql, parameters: Parameters) => Compilable<Row>,
): PreparedQuery<Parameters, Row> {
  return { build };
}

/** A query built for one engine: its text, and its values in the order the text wants them. */
export interface BuiltQuery {
  readonly text: string;
  bind(parameters: object): unknown[];
}

type DialectParts = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>;

/** Returns a function that builds each query for a dialect at its first use, and keeps it. */
export function queryBuilder(dialect: DialectParts): <P, R>(query: PreparedQuery<P, R>) => BuiltQuery {
  const sql = new Kysely<Tables>({ dialect: { ...dialect, createDriver: () => new DummyDriver() } });
  const built = new WeakMap<object, BuiltQuery>();
  return <P, R>(query: PreparedQuery<P, R>) => {
    let found = built.get(query);
    if (found === undefined) {
      // Sound because Kysely binds as a value any object that it does not know, and a builder only hands them on.
      found = toBuilt(query.build(sql, standIns as P).compile());
      built.set(query, found);
    }
    return found;
  };
}

class StandIn {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const standIns: unknown = new Proxy({}, { get: (_, name) => new StandIn(String(name)) });

function toBuilt({ sql: text, parameters }: CompiledQuery): BuiltQuery {
  const bind = (values: Readonly<Record<string, unknown>>) =>
    parameters.map((parameter) => (parameter instanceof StandIn ? values[parameter.name] : parameter));
  return { text, bind };
}

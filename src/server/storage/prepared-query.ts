import {
  BinaryOperationNode,
  DummyDriver,
  Kysely,
  OperationNodeTransformer,
  OperatorNode,
  sql,
  ValueNode,
  type Compilable,
  type CompiledQuery,
  type Dialect,
  type KyselyPlugin,
  type QueryId,
  type RawBuilder,
} from 'kysely';
import type { Tables } from './tables.ts';

export type Sql = Kysely<Tables>;
export type Engine = 'SQLite' | 'PostgreSQL';

/** A query for both engines. It is built at its first use on each engine, then only bound and run. */
export interface PreparedQuery<Parameters, Row> {
  readonly build: (sql: Sql, parameters: Parameters, engine: Engine) => Compilable<Row>;
  /** Whether results are kept until something is committed, where the engine can tell. Nobody may change the rows. */
  readonly isRemembered: boolean;
}

/**
 * Declares a query. `build` gets stand-ins for the parameters, which it may only pass on as bound values:
 * `where('id', '=', p.id)`, or `where('id', 'in', p.ids)` for a list, which is one parameter however long it is.
 * An undefined parameter is also undefined for `build`, so that it can leave out a filter; each of these forms is built
 * once. If anything else determines the form of a query, a second query is required.
 */
export function prepare<Row, Parameters = object>(
  build: (sql: Sql, parameters: Parameters, engine: Engine) => Compilable<Row>,
): PreparedQuery<Parameters, Row> {
  return { build, isRemembered: false };
}

/** Declares a query that nearly every request repeats, such as of its session, and whose rows are few and small. */
export function prepareRemembered<Row, Parameters = object>(
  build: (sql: Sql, parameters: Parameters, engine: Engine) => Compilable<Row>,
): PreparedQuery<Parameters, Readonly<Row>> {
  return { build, isRemembered: true };
}

/** A query built for one engine: its text, and its values in the order of the text's parameters. */
export interface BuiltQuery {
  readonly text: string;
  readonly values: unknown[];
}

/** Returns a function that builds each query for an engine at its first use, and binds the parameters. */
export function queryBuilder(
  engine: Engine,
  dialect: Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>,
): <P, R>(query: PreparedQuery<P, R>, parameters: P) => BuiltQuery {
  const db = new Kysely<Tables>({
    dialect: { ...dialect, createDriver: () => new DummyDriver() },
    plugins: [listParameters(engine)],
  });
  const formsByQuery = new WeakMap<object, Form[]>();
  return <P, R>(query: PreparedQuery<P, R>, parameters: P) => {
    // Sound because parameters are objects of values by name.
    const values = parameters as Readonly<Record<string, unknown>>;
    let forms = formsByQuery.get(query);
    if (forms === undefined) formsByQuery.set(query, (forms = []));
    let form = forms.find(({ isOf }) => isOf(values));
    if (form === undefined) {
      // Sound because Kysely binds any object that it doesn't know as a value, and a builder only passes them on.
      form = toForm(values, (standIns) => query.build(db, standIns as P, engine).compile());
      forms.push(form);
    }
    return { text: form.text, values: form.bind(values) };
  };
}

/** The form of a query for a set of defined parameters. */
interface Form {
  readonly text: string;
  isOf(values: Readonly<Record<string, unknown>>): boolean;
  bind(values: Readonly<Record<string, unknown>>): unknown[];
}

class StandIn {
  readonly name: string;
  readonly isJson: boolean;
  #json: StandIn | undefined;
  constructor(name: string, isJson: boolean) {
    this.name = name;
    this.isJson = isJson;
  }

  /** Returns the stand-in of the same value as JSON, which is the same each time. */
  asJson(): StandIn {
    return (this.#json ??= new StandIn(this.name, true));
  }

  /** Rejects text and arithmetic, which would be computed once, of the stand-in, instead of for each set of values. */
  [Symbol.toPrimitive](): never {
    throw new TypeError(`The parameter ${this.name} of a query can only be passed on as a bound value.`);
  }
}

function toForm(
  values: Readonly<Record<string, unknown>>,
  build: (standIns: unknown) => CompiledQuery,
): Form {
  /** The same one for each use of a parameter, by which a compiler of queries knows that they have one value. */
  const standIns = new Map<string, StandIn | undefined>();
  const standInFor = (_: object, property: string | symbol): StandIn | undefined => {
    const name = String(property);
    if (!standIns.has(name))
      standIns.set(name, values[name] === undefined ? undefined : new StandIn(name, false));
    return standIns.get(name);
  };
  const { sql: text, parameters } = build(new Proxy({}, { get: standInFor }));
  const used = [...standIns].map(([name, standIn]) => ({ name, wasDefined: standIn !== undefined }));
  return {
    text,
    isOf: (others) => used.every(({ name, wasDefined }) => (others[name] !== undefined) === wasDefined),
    bind: (others) =>
      parameters.map((parameter) => {
        if (!(parameter instanceof StandIn)) return parameter;
        const value = others[parameter.name];
        return parameter.isJson ? JSON.stringify(value) : value;
      }),
  };
}

/** Binds a list as JSON. */
function asJson(parameter: unknown): RawBuilder<string> {
  // Sound because builders only ever get stand-ins.
  const standIn = parameter as StandIn;
  return sql`${standIn.asJson()}`;
}

/**
 * Returns a list of objects with these texts as a table to select from. It is one parameter, however long the list is.
 */
export function jsonRows<Column extends string>(
  engine: Engine,
  rows: readonly Readonly<Record<Column, string>>[],
  columns: readonly Column[],
): RawBuilder<Record<Column, string>> {
  const texts = columns.map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
  return engine === 'SQLite'
    ? sql`(select ${sql.join(texts)} from json_each(${asJson(rows)}))`
    : sql`(select ${sql.join(texts)} from json_array_elements(${asJson(rows)}))`;
}

/** Converts the list in `x in $list` into the engine's form: an array or, on SQLite, which has no arrays, JSON. */
class ListParameters extends OperationNodeTransformer {
  readonly #engine: Engine;
  constructor(engine: Engine) {
    super();
    this.#engine = engine;
  }

  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    queryId?: QueryId,
  ): BinaryOperationNode {
    const transformed = super.transformBinaryOperation(node, queryId);
    const { leftOperand: left, operator, rightOperand: right } = transformed;
    const isIn = OperatorNode.is(operator) && operator.operator === 'in';
    if (!isIn || !ValueNode.is(right) || !(right.value instanceof StandIn)) return transformed;
    if (this.#engine === 'SQLite') {
      const list = sql`(select value from json_each(${asJson(right.value)}))`;
      return BinaryOperationNode.create(left, operator, list.toOperationNode());
    }
    return BinaryOperationNode.create(
      left,
      OperatorNode.create('='),
      sql`any(${right.value})`.toOperationNode(),
    );
  }
}

const listParameters = (engine: Engine): KyselyPlugin => {
  const transformer = new ListParameters(engine);
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
};

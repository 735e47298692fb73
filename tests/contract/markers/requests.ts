import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import type { Route } from '#contract/route.ts';
import { internal, secret, type KnownIds } from './world.ts';

/** A request that an attacker sends. */
export interface Attack {
  readonly line: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the contract says of a value, as JSON Schema. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly pattern?: string;
}

/** The most bodies of a route, each with other IDs. */
const maxBodies = 8;
/** The most values of a parameter of a query string that are tried. */
const maxValues = 8;

/** Bodies that are more than what their schema says, by the ID of the route. */
const bodies: Readonly<Record<string, (ids: KnownIds) => readonly unknown[]>> = {
  previewReport: ({ organizationId, dataSourceId = [] }) =>
    dataSourceId.flatMap((id) =>
      [`SELECT * FROM ledger`, 'SELECT nothing FROM ledger', 'SHOW TABLES'].map((query) => ({
        organizationId: organizationId?.[0],
        dataSourceId: id,
        query,
      })),
    ),
  runReport: () => [{}, { parameters: { p: null } }, { parameters: { p: 'x' } }],
  drillReport: () => [
    { marks: [{}] },
    { marks: [{ c: 'x' }] },
    { marks: [{}], breakout: { column: { name: 'c' } } },
    { marks: [{}], target: 0 },
  ],
  profileColumns: (ids) => targetsOf(ids).map((target) => ({ target })),
  countCells: (ids) =>
    targetsOf(ids).map((target) => ({
      target,
      active: { kind: 'values', column: 'c', values: ['x'] },
      charts: [],
      selections: [],
    })),
  listSelectedRows: (ids) => targetsOf(ids).map((target) => ({ target, selections: [] })),
};

const targetsOf = ({ dataSourceId = [], reportId = [] }: KnownIds): object[] => [
  ...dataSourceId.flatMap((id) => [
    { dataSourceId: id, table: 'ledger' },
    { dataSourceId: id, schema: 'main', table: 'ledger' },
  ]),
  ...reportId.map((id) => ({ reportId: id })),
];

/** Values of parameters and members that are no IDs. */
const texts: Readonly<Record<string, readonly string[]>> = {
  // The start of a word finds it, and isn't the marker that a message repeats.
  q: [secret.slice(0, -1), internal.slice(0, -1), 'ada'],
  limit: ['5'],
  from: ['1'],
  to: ['2'],
  deleted: ['true'],
  force: ['true'],
  dryRun: ['true', 'false'],
};

const valuesOf = (name: string, ids: KnownIds): readonly string[] => {
  const plain = name.replace(/-id$/, 'Id').replace(/-ids$/, 'Id').replace(/Ids$/, 'Id');
  return ids[plain] ?? texts[name] ?? [];
};

/**
 * Returns requests to a route with every ID that an attacker knows: in its path, in each parameter of its query string, and in its
 * body, which is made from its schema.
 */
export function attacksOn(route: Route, ids: KnownIds, attackerId: string): Attack[] {
  const lines = pathsOf(route, ids).flatMap((path) =>
    queriesOf(route, ids).map((query) => `${route.method} ${path}${query}`),
  );
  const headers = headersOf(route);
  return lines.flatMap((line) =>
    bodiesOf(route, { ...ids, userId: [attackerId] }).map((body) => ({ line, ...body, headers })),
  );
}

function pathsOf({ path }: Route, ids: KnownIds): string[] {
  let paths = [path as string];
  for (const [placeholder, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const values = valuesOf(name, ids);
    assert.ok(values.length > 0, `add IDs for ${placeholder} to the world: attackers know them`);
    paths = paths.flatMap((each) => values.map((value) => each.replace(placeholder, value)));
  }
  return paths;
}

/** Each export takes a second. Those that a test can read are enough: all formats are made from the same results. */
const slowQueries: Readonly<Record<string, readonly string[]>> = {
  exportDashboard: ['?file-format=svg', '?file-format=xlsx'],
  exportWidget: ['?file-format=svg'],
};

function queriesOf({ id, query, path }: Route, ids: KnownIds): readonly string[] {
  const slow = slowQueries[id];
  if (slow !== undefined) return slow;
  const { properties = {}, required = [] } = (query ?? {}) as Schema;
  const needed = Object.keys(properties).filter(
    (name) => required.includes(name) || (name === 'organizationId' && !path.includes('{orgId}')),
  );
  const base = needed.map((name) => [name, valuesOf(name, ids)[0] ?? choicesOf(properties[name])[0] ?? 'x']);
  const single = Object.entries(properties).flatMap(([name, schema]) => {
    const values = valuesOf(name, ids);
    return (values.length > 0 ? values : choicesOf(schema))
      .slice(0, maxValues)
      .map((value) => [[name, value]]);
  });
  const queries = [
    [],
    base,
    ...single,
    ...single.map((one) => [...base.filter(([name]) => name !== one[0]?.[0]), ...one]),
  ];
  const written = queries.map((pairs) => new URLSearchParams(pairs as [string, string][]).toString());
  return [...new Set(written)].map((text) => (text === '' ? '' : `?${text}`));
}

const choicesOf = (schema: Schema | undefined): string[] => (schema?.enum ?? []).map(String);

function headersOf({ id, headers }: Route): Readonly<Record<string, string>> {
  const names = Object.keys(((headers ?? {}) as Schema).properties ?? {});
  return {
    ...(names.includes('if-match') && { 'if-match': '*' }),
    ...(id === 'streamDashboardEvents' && { accept: 'text/event-stream' }),
  };
}

function bodiesOf(
  { id, body, upload }: Route,
  ids: KnownIds,
): { body?: unknown; headers?: Record<string, string> }[] {
  if (upload !== undefined) return [{ body: 'a\n1\n', headers: { 'content-type': 'text/csv' } }];
  if (body === undefined) return [{}];
  const known = bodies[id]?.(ids);
  if (known !== undefined) return known.map((each) => ({ body: each }));
  const written = Array.from({ length: maxBodies }, (_, index) =>
    JSON.stringify(valueOf('', body, ids, index)),
  );
  return [...new Set(written)].map((text) => ({ body: text, headers: {} }));
}

/** Returns a value that a schema allows, with the IDs of a turn. */
function valueOf(name: string, schema: TSchema | Schema, ids: KnownIds, turn: number): unknown {
  const {
    type,
    enum: choices,
    const: only,
    anyOf,
    properties,
    items,
    minItems = 0,
    pattern,
    required = [],
  } = schema as Schema;
  if (only !== undefined) return only;
  const known = valuesOf(name, ids);
  if (known.length > 0 && (type === undefined || [type].flat().includes('string')))
    return known[turn % known.length];
  if (choices !== undefined) return choices[turn % choices.length];
  if (anyOf !== undefined) return valueOf(name, anyOf[turn % anyOf.length] ?? {}, ids, turn);
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).flatMap(([member, each]) => {
        // Optional objects make many bodies invalid, so every other one has none.
        if (!required.includes(member) && turn % 2 === 0 && each.type === 'object') return [];
        const value = valueOf(member, each, ids, turn);
        return value === undefined ? [] : [[member, value]];
      }),
    );
  switch ([type].flat()[0]) {
    case 'array': {
      const value = items && valueOf(name, items, ids, turn);
      return value === undefined || (minItems === 0 && turn % 4 === 0) ? [] : [value];
    }
    case 'boolean':
      return turn % 2 === 1;
    case 'integer':
    case 'number':
      return 1;
    case 'null':
      return null;
    case 'object':
      return {};
    case 'string':
      return pattern === undefined || new RegExp(pattern, 'u').test('x') ? 'x' : undefined;
    default:
      return undefined;
  }
}

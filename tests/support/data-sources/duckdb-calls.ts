import { aggregateFunctions } from '../../../src/server/engine/duckdb/guard/functions.ts';
import { fuzzTypes, type FuzzType } from './duckdb-values.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** A function as `duckdb_functions()` describes it. */
export interface Signature {
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate' | 'macro' | 'table';
  readonly parameterTypes: readonly string[];
  readonly variableType: string | null;
}

const lambdas = [
  'x -> x',
  'x -> x IS NULL',
  '(x, y) -> x',
  'x -> NULL',
  '(x, i) -> i',
  'x -> x + 1',
  '(x, y, z) -> x',
];
const frames = [
  '',
  'ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING',
  'ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES',
  'ROWS BETWEEN 5 FOLLOWING AND 2 PRECEDING',
];

/** Functions whose results are as large as a number in their arguments. */
const sizing = new Set(
  `array_resize bar bitstring equi_width_bins format generate_series list_resize lpad printf range repeat repeat_row
  rpad`.split(/\s+/),
);

/** The type that a function expects although its first parameter accepts any type. */
function firstTypeOf(name: string): string | undefined {
  if (name.startsWith('enum_')) return 'ENUM';
  if (name.startsWith('struct_')) return 'STRUCT';
  if (/^(list_|array_|unnest|flatten)/.test(name)) return 'ANY[]';
  return name.startsWith('map_') ? 'MAP' : undefined;
}

/** Returns a query that calls the function with random values: constants, rows of a table, aggregates and windows. */
export function fuzzCall(
  random: SeededRandom,
  { name, kind, parameterTypes, variableType }: Signature,
): string {
  const { any, of } = fuzzTypes(random, sizing.has(name));
  const same = any(1);
  const aggregateName = { sql: 'VARCHAR', value: () => `'${random.pick([...aggregateFunctions])}'` };
  const more = variableType === null ? [] : Array.from({ length: random.integer(0, 3) }, () => variableType);
  const types = [...parameterTypes, ...more].map((type, index): FuzzType => {
    if (type === 'LAMBDA') return { sql: 'INTEGER', value: () => random.pick(lambdas) };
    if (index === 1 && /^(list|array)?_?aggr(egate)?$/.test(name)) return aggregateName;
    return of(index === 0 && random.integer(0, 3) > 0 ? (firstTypeOf(name) ?? type) : type, same);
  });
  if (kind !== 'macro' && random.integer(1, 12) === 1) types.push(any());
  const isLambda = (index: number): boolean => parameterTypes[index] === 'LAMBDA';
  const values = (): string[] => types.map((type) => type.value());
  if (kind === 'table') return `FROM ${callOf(name, values())} LIMIT 100`;
  if (kind !== 'aggregate' && random.integer(0, 1) === 0) return `SELECT ${callOf(name, values())}`;

  const rows = Array.from({ length: random.pick([1, 3, 8, 20]) }, () => {
    const row = values().map((value, index) => (isLambda(index) ? '1' : value));
    return `(${[...row, random.pick(['1', '2', 'NULL'])].join(', ')})`;
  });
  const columns = types.map((_, index) => `c${index}`);
  const from = `FROM (VALUES ${rows.join(', ')}) AS t(${[...columns, 'g'].join(', ')})`;
  const constants = values();
  const isColumn = types.map(
    (type, index) => !isLambda(index) && type !== aggregateName && random.integer(0, 2) > 0,
  );
  const used = columns.map((column, index) =>
    isColumn[index] === true ? column : (constants[index] ?? column),
  );
  if (kind !== 'aggregate') return `SELECT ${callOf(name, used)} ${from}`;
  const list = used.join(', ');
  switch (random.integer(0, 3)) {
    case 0:
      return `SELECT "${name}"(${list}) ${from}`;
    case 1:
      return `SELECT "${name}"(${list === '' ? '' : 'DISTINCT '}${list}) ${from} GROUP BY g`;
    case 2:
      return `SELECT "${name}"(${list}${list === '' ? '' : ' ORDER BY g'}) FILTER (WHERE g = 1) ${from} GROUP BY g`;
    default:
      return `SELECT "${name}"(${list}) OVER (${random.pick(['', 'PARTITION BY g '])}ORDER BY g ${random.pick(frames)}) ${from}`;
  }
}

function callOf(name: string, values: readonly string[]): string {
  if (/^[a-z]/i.test(name)) return `"${name}"(${values.join(', ')})`;
  const [first = '1', second] = values;
  if (name === '!__postfix') return `(${first}) !`;
  return second === undefined ? `${name} (${first})` : `(${first}) ${name} (${second})`;
}

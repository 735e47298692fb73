import type { SeededRandom } from '../seeded-random.ts';

/** A type of DuckDB, and how to write one of its values. */
export interface FuzzType {
  readonly sql: string;
  value(): string;
}

const integers =
  `0 1 -1 2 3 7 10 100 -100 127 128 255 32767 65536 1000000 2147483647 -2147483648 9223372036854775807
  -9223372036854775808 18446744073709551615 170141183460469231731687303715884105727`.split(/\s+/);
const smallIntegers = '0 1 -1 2 3 7 10 100 -100 1000'.split(' ');

const doubles = `'nan' 'inf' '-inf' 0.0 -0.0 1e308 -1e308 5e-324 1.5 0.5 -1 1e18`.split(' ');

const texts = [
  "''",
  "'a'",
  "'abc'",
  "' '",
  "'ä€😀'",
  "'%'",
  "'%Y-%m-%d'",
  "'year'",
  "'[1,2'",
  "'(a|b)*'",
  "'('",
  "'\\'",
  `'{"a":[1,2,{"b":null}]}'`,
  "'$.a'",
  "'$..*'",
  "'/a/0'",
  "'$[*]'",
  "'2020-01-01'",
  "'infinity'",
  "'1e400'",
  "'Europe/Berlin'",
  "'sum'",
  "'utf-8'",
  'chr(0)',
  "'a' || chr(0) || 'b'",
  "repeat('x', 5000)",
  "repeat('[', 2000)",
  "'{}'",
  "'{:d}'",
  "'%s%d%n'",
  "'P1Y'",
  "'equi-width'",
  "'\u0301\u0301'",
  "'0101'",
  "'ff'",
  "'DESC'",
  "'NULLS LAST'",
];

const dates = [
  "'infinity'",
  "'-infinity'",
  "'2020-02-29'",
  "'1970-01-01'",
  "'290307-06-11 (BC)'",
  "'5881580-07-10'",
];
const timestamps = [...dates.slice(0, 4), "'290309-12-22 (BC) 00:00:00'", "'294247-01-10 04:00:54.775806'"];

const integerTypes =
  'TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT'.split(' ');

const literals: Readonly<Record<string, readonly string[]>> = {
  BOOLEAN: ['true', 'false'],
  VARCHAR: texts,
  BLOB: ["''", "'\\xFF\\xFE'", "'\\x00'", "'abc'", "repeat('\\xC3', 100)"],
  DOUBLE: doubles,
  FLOAT: doubles,
  'DECIMAL(18,3)': [...smallIntegers, '0.001', '-999999.999'],
  'DECIMAL(38,0)': integers,
  DATE: dates,
  TIME: ["'00:00:00'", "'23:59:59.999999'", "'24:00:00'"],
  TIME_NS: ["'00:00:00'", "'23:59:59.999999999'"],
  'TIME WITH TIME ZONE': ["'00:00:00+15:59'", "'23:59:59-15:59'", "'12:00:00+00'"],
  TIMESTAMP: timestamps,
  TIMESTAMP_S: timestamps,
  TIMESTAMP_MS: timestamps,
  TIMESTAMP_NS: timestamps,
  'TIMESTAMP WITH TIME ZONE': timestamps,
  INTERVAL: [
    'to_days(0)',
    'to_months(1)',
    'to_days(2147483647)',
    'to_months(-2147483648)',
    'to_microseconds(9223372036854775807)',
    "'1 month -1 day 1 microsecond'",
  ],
  UUID: ["'00000000-0000-0000-0000-000000000000'", "'0190b7c0-0000-7000-8000-000000000000'"],
  BIT: ["'0'", "'1'", "'0101010101'", "repeat('1', 300)"],
  BIGNUM: ['0', '-1', `'${'9'.repeat(400)}'`],
  JSON: [
    "'{}'",
    "'[]'",
    "'null'",
    `'{"a":1}'`,
    "'[1,[2]]'",
    `'"x"'`,
    "'1e999'",
    "repeat('[',900) || repeat(']',900)",
  ],
  "ENUM('a', 'b', 'abc')": ["'a'", "'b'", "'abc'"],
};

/** Returns random types and values; with `isSmall`, no number makes a function allocate gigabytes. */
export function fuzzTypes(
  random: SeededRandom,
  isSmall: boolean,
): { any(depth?: number): FuzzType; of(parameterType: string, any: FuzzType): FuzzType } {
  const isNull = (): boolean => random.integer(1, 8) === 1;

  function scalar(sql: string): FuzzType {
    const numbers = isSmall ? smallIntegers : integers;
    const values = integerTypes.includes(sql) ? numbers : (literals[sql] ?? texts);
    return { sql, value: () => `TRY_CAST(${isNull() ? 'NULL' : random.pick(values)} AS ${sql})` };
  }

  function list(item: FuzzType, size?: number): FuzzType {
    const sql = `${item.sql}[${size ?? ''}]`;
    return {
      sql,
      value() {
        const items = Array.from({ length: size ?? random.pick([0, 1, 2, 5, 40]) }, () => item.value());
        return `TRY_CAST(${isNull() ? 'NULL' : `[${items.join(', ')}]`} AS ${sql})`;
      },
    };
  }

  function struct(a: FuzzType, b: FuzzType): FuzzType {
    const sql = `STRUCT(a ${a.sql}, b ${b.sql})`;
    return { sql, value: () => (isNull() ? `NULL::${sql}` : `{'a': ${a.value()}, 'b': ${b.value()}}`) };
  }

  function map(key: FuzzType, value: FuzzType): FuzzType {
    const sql = `MAP(${key.sql}, ${value.sql})`;
    return { sql, value: () => (isNull() ? `NULL::${sql}` : `MAP {${key.value()}: ${value.value()}}`) };
  }

  function any(depth = 0): FuzzType {
    switch (depth > 2 ? 0 : random.integer(0, 9)) {
      case 6:
        return list(any(depth + 1));
      case 7:
        return list(any(depth + 1), 3);
      case 8:
        return struct(any(depth + 1), any(depth + 1));
      case 9:
        return map(any(depth + 1), any(depth + 1));
      default:
        return scalar(random.pick([...Object.keys(literals), ...integerTypes]));
    }
  }

  /** `parameterType` is one of `duckdb_functions()`; `same` is the type that all generic parameters of a call have. */
  function of(parameterType: string, same: FuzzType): FuzzType {
    if (parameterType.endsWith('[]')) return list(of(parameterType.slice(0, -2), same));
    const [, item] = /^(.*)\[(?:ANY|\d)\]$/.exec(parameterType) ?? [];
    if (item !== undefined) return list(of(item, same), 3);
    if (parameterType.startsWith('MAP')) return map(scalar('VARCHAR'), same);
    if (parameterType === 'K') return scalar('VARCHAR');
    if (/^(STRUCT|ROW)/.test(parameterType)) return struct(same, scalar('INTEGER'));
    if (parameterType === 'DECIMAL') return scalar('DECIMAL(18,3)');
    if (parameterType === 'ENUM') return scalar("ENUM('a', 'b', 'abc')");
    const isOpen = !integerTypes.includes(parameterType) && literals[parameterType] === undefined;
    if (isOpen) return random.integer(0, 1) === 0 ? same : any();
    return scalar(parameterType);
  }

  return { any, of };
}

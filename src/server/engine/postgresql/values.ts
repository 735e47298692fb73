import type { FieldDef } from 'pg';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { ColumnType } from '#shared/columns.ts';
import { jsonWriter, strictJson } from '../formats/json-values.ts';
import { readArray, readRow, type Literal } from './literals.ts';

/** A type as described in pg_type. */
export interface PostgresqlType {
  readonly name: string;
  /** As in `typtype`: base, composite, domain, enum, range, multirange, pseudo. */
  readonly kind: string;
  /** The category of `typcategory`: `A` for arrays, `S` for texts. */
  readonly category: string;
  /** The element type of an array, or the base type of a domain; 0 for others. */
  readonly inner: number;
  readonly delimiter: string;
  readonly fields: readonly { readonly name: string; readonly type: number }[];
}

export type PostgresqlTypes = ReadonlyMap<number, PostgresqlType>;

type TextWriter = (text: string) => string;

const columnTypes: Readonly<Record<string, ColumnType>> = {
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  oid: 'integer',
  numeric: 'decimal',
  float4: 'double',
  float8: 'double',
  date: 'date',
  time: 'time',
  timetz: 'time',
  timestamp: 'datetime',
  timestamptz: 'instant',
  interval: 'interval',
  uuid: 'uuid',
  bytea: 'bytes',
  json: 'json',
  jsonb: 'json',
};

export function postgresqlColumn(
  types: PostgresqlTypes,
  field: Pick<FieldDef, 'name' | 'dataTypeID' | 'dataTypeModifier'>,
): Column {
  const { name, dataTypeID: type, dataTypeModifier: modifier } = field;
  return { name, type: columnTypeOf(types, type), sourceType: sourceTypeOf(types, type, modifier) };
}

function columnTypeOf(types: PostgresqlTypes, id: number): ColumnType {
  const type = types.get(id);
  if (type === undefined) return 'other';
  if (type.kind === 'd') return columnTypeOf(types, type.inner);
  if (type.category === 'A') return 'list';
  if (type.kind === 'c') return 'struct';
  if (type.kind === 'e' || type.category === 'S') return 'text';
  return columnTypes[type.name] ?? 'other';
}

function sourceTypeOf(types: PostgresqlTypes, id: number, modifier: number): string {
  const type = types.get(id);
  if (type === undefined) return 'unknown';
  if (type.category === 'A' && type.inner !== 0) return `${sourceTypeOf(types, type.inner, modifier)}[]`;
  // The modifiers of text and numeric types include a header of 4 bytes. The scale of a number has 11 bits, of which the
  // first is the sign.
  if (type.name === 'numeric' && modifier >= 4)
    return `numeric(${(modifier - 4) >> 16},${(((modifier - 4) & 0x7ff) ^ 0x400) - 0x400})`;
  if ((type.name === 'varchar' || type.name === 'bpchar') && modifier >= 4)
    return `${type.name}(${modifier - 4})`;
  return type.name;
}

/** Returns the function that turns the text that PostgreSQL sends for a value of the type into the plain text of a `RowBatch`. */
export function postgresqlTextWriter(types: PostgresqlTypes, id: number): TextWriter {
  const type = types.get(id);
  if (type === undefined) return unchanged;
  if (type.kind === 'd') return postgresqlTextWriter(types, type.inner);
  if (type.category === 'A') {
    const toJson = nestedWriter(types, type.inner);
    const { delimiter } = types.get(type.inner) ?? type;
    return (text) => listJson(readArray(text, delimiter), toJson);
  }
  if (type.kind === 'c') return rowWriter(types, type.fields);
  return writers[type.name] ?? unchanged;
}

const unchanged: TextWriter = (text) => text;

const writers: Readonly<Record<string, TextWriter>> = {
  bool: (text) => (text === 't' ? 'true' : 'false'),
  date: isoYears,
  timetz: (text) => text.replace(/([+-]\d\d)$/, '$1:00'),
  timestamp: (text) => isoYears(text.replace(' ', 'T')),
  // In UTC, which is the session's time zone.
  timestamptz: (text) => isoYears(text.replace(' ', 'T').replace('+00', 'Z')),
  bytea: (text) => Buffer.from(text.slice(2), 'hex').toString('base64'),
  json: strictJson,
  jsonb: strictJson,
};

/** Writes years as in ISO 8601: `0044-03-15 BC` is the year -43, and a year after 9999 has a sign and six digits. */
function isoYears(text: string): string {
  if (!text.endsWith(' BC'))
    return text.replace(/^(\d{5,})-/, (_, year: string) => `+${year.padStart(6, '0')}-`);
  return text.slice(0, -3).replace(/^(\d+)-/, (_, year: string) => {
    const before = Number(year) - 1;
    return before === 0 ? '0000-' : `-${String(before).padStart(6, '0')}-`;
  });
}

function nestedWriter(types: PostgresqlTypes, id: number): (text: string | null) => string {
  const toText = postgresqlTextWriter(types, id);
  const toJson = jsonWriter(columnTypeOf(types, id));
  return (text) => toJson(text === null ? null : toText(text));
}

function listJson(items: readonly Literal[], toJson: (text: string | null) => string): string {
  const parts = items.map((item) =>
    item === null || typeof item === 'string' ? toJson(item) : listJson(item, toJson),
  );
  return `[${parts.join(',')}]`;
}

function rowWriter(types: PostgresqlTypes, fields: PostgresqlType['fields']): TextWriter {
  // A type can contain itself, in a list, so its writers are looked up only when there is a value.
  return (text) => {
    const values = readRow(text);
    const members = fields.map(
      ({ name, type }, index) =>
        `${JSON.stringify(name)}:${nestedWriter(types, type)(values[index] ?? null)}`,
    );
    return `{${members.join(',')}}`;
  };
}

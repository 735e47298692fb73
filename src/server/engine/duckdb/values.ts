import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBIntervalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimeNSValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeTZValue,
  DuckDBTimeValue,
  DuckDBTypeId,
  DuckDBUnionValue,
  DuckDBVariantValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { ColumnType } from '#shared/columns.ts';
import { isoDate, isoDatetime, isoInterval, isoOffset, isoTime } from '../formats/iso-times.ts';
import { jsonWriter, strictJson } from '../formats/json-values.ts';

const columnTypes: Partial<Record<DuckDBTypeId, ColumnType>> = {
  [DuckDBTypeId.BOOLEAN]: 'boolean',
  [DuckDBTypeId.TINYINT]: 'integer',
  [DuckDBTypeId.SMALLINT]: 'integer',
  [DuckDBTypeId.INTEGER]: 'integer',
  [DuckDBTypeId.BIGINT]: 'integer',
  [DuckDBTypeId.HUGEINT]: 'integer',
  [DuckDBTypeId.UTINYINT]: 'integer',
  [DuckDBTypeId.USMALLINT]: 'integer',
  [DuckDBTypeId.UINTEGER]: 'integer',
  [DuckDBTypeId.UBIGINT]: 'integer',
  [DuckDBTypeId.UHUGEINT]: 'integer',
  [DuckDBTypeId.BIGNUM]: 'integer',
  [DuckDBTypeId.FLOAT]: 'double',
  [DuckDBTypeId.DOUBLE]: 'double',
  [DuckDBTypeId.DECIMAL]: 'decimal',
  [DuckDBTypeId.VARCHAR]: 'text',
  [DuckDBTypeId.ENUM]: 'text',
  [DuckDBTypeId.BLOB]: 'bytes',
  [DuckDBTypeId.DATE]: 'date',
  [DuckDBTypeId.TIME]: 'time',
  [DuckDBTypeId.TIME_NS]: 'time',
  [DuckDBTypeId.TIME_TZ]: 'time',
  [DuckDBTypeId.TIMESTAMP]: 'datetime',
  [DuckDBTypeId.TIMESTAMP_S]: 'datetime',
  [DuckDBTypeId.TIMESTAMP_MS]: 'datetime',
  [DuckDBTypeId.TIMESTAMP_NS]: 'datetime',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'instant',
  [DuckDBTypeId.INTERVAL]: 'interval',
  [DuckDBTypeId.UUID]: 'uuid',
  [DuckDBTypeId.LIST]: 'list',
  [DuckDBTypeId.ARRAY]: 'list',
  [DuckDBTypeId.STRUCT]: 'struct',
  [DuckDBTypeId.MAP]: 'struct',
  [DuckDBTypeId.UNION]: 'json',
  [DuckDBTypeId.VARIANT]: 'json',
};

export function columnTypeOf(type: DuckDBType): ColumnType {
  return type.alias === 'JSON' ? 'json' : (columnTypes[type.typeId] ?? 'other');
}

/** Returns DuckDB's name of a type, without the values of an enum, of which there may be thousands. */
export function sourceTypeOf(type: DuckDBType): string {
  return type.typeId === DuckDBTypeId.ENUM ? 'ENUM' : (type.alias ?? type.toString());
}

type TextWriter = (value: DuckDBValue) => string;

/** Returns the function that turns a value of the type, other than null, into the plain text of a `RowBatch`. */
export function textWriter(type: DuckDBType): TextWriter {
  if (type.alias === 'JSON') return (value) => strictJson(String(value));
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
      return (value) => shortestFloat(Number(value));
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return listWriter(nestedWriter(type.valueType));
    case DuckDBTypeId.STRUCT:
      return structWriter(type.entryNames, type.entryTypes.map(nestedWriter));
    case DuckDBTypeId.MAP:
      return mapWriter(textWriter(type.keyType), nestedWriter(type.valueType));
    case DuckDBTypeId.UNION:
    case DuckDBTypeId.VARIANT:
      return jsonByValue;
    default:
      return scalarText;
  }
}

function scalarText(value: DuckDBValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof DuckDBDateValue) return value.isFinite ? isoDate(value.days) : endless(value.days > 0);
  if (value instanceof DuckDBTimestampTZValue) {
    return value.isFinite ? `${isoDatetime(value.micros, 1_000_000n)}Z` : endless(value.micros > 0n);
  }
  if (value instanceof DuckDBTimestampValue) return datetime(value.isFinite, value.micros, 1_000_000n);
  if (value instanceof DuckDBTimestampSecondsValue) return datetime(value.isFinite, value.seconds, 1n);
  if (value instanceof DuckDBTimestampMillisecondsValue) return datetime(value.isFinite, value.millis, 1000n);
  if (value instanceof DuckDBTimestampNanosecondsValue) {
    return datetime(value.isFinite, value.nanos, 1_000_000_000n);
  }
  if (value instanceof DuckDBTimeValue) return isoTime(value.micros, 1_000_000n);
  if (value instanceof DuckDBTimeNSValue) return isoTime(value.nanos, 1_000_000_000n);
  if (value instanceof DuckDBTimeTZValue) {
    return isoTime(value.micros, 1_000_000n) + isoOffset(value.offset);
  }
  if (value instanceof DuckDBIntervalValue) return isoInterval(value.months, value.days, value.micros);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  return value.toString();
}

const datetime = (isFinite: boolean, sinceEpoch: bigint, unitsOfSecond: bigint): string =>
  isFinite ? isoDatetime(sinceEpoch, unitsOfSecond) : endless(sinceEpoch > 0n);

const endless = (isFuture: boolean): string => (isFuture ? 'infinity' : '-infinity');

/** Returns the fewest digits that identify a 32-bit float. */
function shortestFloat(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(value);
}

function nestedWriter(type: DuckDBType): TextWriter {
  const toText = textWriter(type);
  const toJson = jsonWriter(columnTypeOf(type));
  return (value) => toJson(value === null ? null : toText(value));
}

function listWriter(toJson: TextWriter): TextWriter {
  return (value) => {
    const { items } = value as DuckDBListValue | DuckDBArrayValue;
    return `[${items.map(toJson).join(',')}]`;
  };
}

function structWriter(names: readonly string[], writers: readonly TextWriter[]): TextWriter {
  const keys = names.map((name) => JSON.stringify(name));
  return (value) => {
    const { entries } = value as DuckDBStructValue;
    const members = writers.map(
      (toJson, index) => `${keys[index]}:${toJson(entries[names[index] ?? ''] ?? null)}`,
    );
    return `{${members.join(',')}}`;
  };
}

function mapWriter(keyText: TextWriter, toJson: TextWriter): TextWriter {
  return (value) => {
    const { entries } = value as DuckDBMapValue;
    return `{${entries.map((entry) => `${JSON.stringify(keyText(entry.key))}:${toJson(entry.value)}`).join(',')}}`;
  };
}

/** Returns the JSON of a value that has its own type, as in a union or a variant. */
function jsonByValue(value: DuckDBValue): string {
  if (value === null) return 'null';
  if (value instanceof DuckDBUnionValue || value instanceof DuckDBVariantValue)
    return jsonByValue(value.value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return listWriter(jsonByValue)(value);
  if (value instanceof DuckDBMapValue) return mapWriter(scalarText, jsonByValue)(value);
  if (value instanceof DuckDBStructValue) {
    const names = Object.keys(value.entries);
    return structWriter(
      names,
      names.map(() => jsonByValue),
    )(value);
  }
  if (typeof value === 'boolean') return String(value);
  const type = typeof value === 'number' ? 'double' : typeof value === 'bigint' ? 'integer' : 'text';
  return jsonWriter(type)(scalarText(value));
}

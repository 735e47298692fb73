import type { ColumnType } from '#shared/columns.ts';

/** Returns the function that turns the plain text of a value into JSON; see `RowValues` in the contract. */
export function jsonWriter(type: ColumnType): (text: string | null) => string {
  switch (type) {
    case 'json':
      return (text) => (text === null ? 'null' : onOneLine(text));
    case 'boolean':
    case 'list':
    case 'struct':
      return (text) => text ?? 'null';
    case 'integer':
    case 'decimal':
      return (text) => (text === null ? 'null' : isExact(text) ? text : JSON.stringify(text));
    case 'double':
      return (text) => (text === null ? 'null' : isFinite(text) ? text : JSON.stringify(text));
    case 'text':
    case 'date':
    case 'time':
    case 'datetime':
    case 'instant':
    case 'interval':
    case 'uuid':
    case 'bytes':
    case 'other':
      return (text) => (text === null ? 'null' : JSON.stringify(text));
  }
}

/** Whether a reader that only has doubles gets exactly the same digits: up to 15 always survive (IEEE 754, DBL_DIG). */
function isExact(text: string): boolean {
  return text.length <= 15 ? isFinite(text) : String(Number(text)) === text && isFinite(text);
}

/** Whether a number is neither `NaN` nor `Infinity`, which JSON can't represent. */
function isFinite(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0x30 && last <= 0x39;
}

/** Replaces line breaks, which are only whitespace in JSON, since rows are written into lines of NDJSON. */
const onOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text);

/** Returns valid JSON unchanged, and other text as a JSON string: engines accept more than RFC 8259 allows. */
export function strictJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

import type { ColumnType } from '#shared/columns.ts';

/** Returns how the plain text of a value is written in JSON; see `RowValues` in the contract. */
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

/** Whether a reader that has doubles alone gets back the very digits: any 15 survive (IEEE 754, DBL_DIG). */
function isExact(text: string): boolean {
  return text.length <= 15 ? isFinite(text) : String(Number(text)) === text && isFinite(text);
}

/** Neither `NaN` nor `Infinity`, which JSON has no word for. */
function isFinite(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0x30 && last <= 0x39;
}

/** In JSON a line break is but space, and rows are parts of lines of NDJSON. */
const onOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text);

/** Returns JSON text as it is when a strict reader takes it, else as a JSON string: engines let more pass than RFC 8259. */
export function strictJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

import { scanSql } from './scanner.ts';

/** A `{{name}}` in the code of a query. */
export interface Placeholder {
  readonly name: string;
  readonly start: number;
  /** The index after the last character. */
  readonly end: number;
}

/** A `{{name}}` or a `$1` that no value can be bound to, with its index in the query. */
export interface PlaceholderFault {
  readonly parameter: string;
  readonly message: string;
  readonly start: number;
}

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;
const engineMarker = /\$\d+/;

/**
 * Returns every `{{name}}` in the code of a query, and the faults: a `{{name}}` in a string, where it would be text, and the
 * engine's own `$1`. Comments are ignored, and so are quoted names: a table or a column may be called `{{name}}`.
 */
export function findPlaceholders(sql: string): {
  readonly placeholders: readonly Placeholder[];
  readonly faults: readonly PlaceholderFault[];
} {
  const placeholders: Placeholder[] = [];
  const faults: PlaceholderFault[] = [];
  for (const { kind, start: partStart, end: partEnd } of scanSql(sql)) {
    if (kind === 'comment' || kind === 'identifier') continue;
    const text = sql.slice(partStart, partEnd);
    for (const { 0: whole, 1: name = '', index } of text.matchAll(placeholder)) {
      const start = partStart + index;
      if (kind === 'code') placeholders.push({ name, start, end: start + whole.length });
      else {
        const message = 'A parameter inside quotes would be text. Remove the quotes.';
        faults.push({ parameter: name, message, start });
      }
    }
    const marker = kind === 'code' ? engineMarker.exec(text) : null;
    if (marker === null) continue;
    const message = 'Write a parameter as {{name}}.';
    faults.push({ parameter: marker[0], message, start: partStart + marker.index });
  }
  return { placeholders, faults };
}

/** Returns the first placeholder of each name that is not declared as a parameter. */
export function findUndeclared(
  placeholders: readonly Placeholder[],
  declared: readonly { readonly name: string }[],
): Placeholder[] {
  const seen = new Set(declared.map(({ name }) => name));
  return placeholders.filter(({ name }) => {
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

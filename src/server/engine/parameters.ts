import type { BoundQuery, BoundValue } from './opened-source.ts';
import { castOf, valueFault, type QueryParameter } from './parameter-casts.ts';
import { QueryFailure, type ParameterFault } from './failure.ts';
import type { SourceDescription } from './source-description.ts';
import { scanSql } from './sql-scanner.ts';
import { placesIn, type Place } from './text-offsets.ts';

/** A `{{name}}` in SQL, outside of comments. */
interface Placeholder {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;
const ownMarker = /\$\d+/;

/**
 * Returns the parameters that SQL asks for by `{{name}}`, their names with where each is first asked for, and what is
 * wrong: one inside of a string or a quoted name, where it would be text, and the engine's own `$1`.
 */
export function findPlaceholders(sql: string): {
  placeholders: readonly Placeholder[];
  names: ReadonlyMap<string, Place>;
  faults: readonly ParameterFault[];
} {
  const placeholders: Placeholder[] = [];
  const faults: ParameterFault[] = [];
  const names = new Map<string, Place>();
  const placeOf = placesIn(sql);
  for (const { kind, start, end } of scanSql(sql)) {
    if (kind === 'comment') continue;
    const text = sql.slice(start, end);
    for (const { 0: whole, 1: name = '', index } of text.matchAll(placeholder)) {
      const offset = start + index;
      if (kind === 'code') {
        placeholders.push({ name, offset, length: whole.length });
        if (!names.has(name)) names.set(name, placeOf(offset));
        continue;
      }
      const message = 'A parameter inside of quotes would be text: leave the quotes out.';
      faults.push({ parameter: name, message, ...placeOf(offset) });
    }
    const own = kind === 'code' ? ownMarker.exec(text) : null;
    if (own === null) continue;
    const message = 'Write a parameter as {{name}}.';
    faults.push({ parameter: own[0], message, ...placeOf(start + own.index) });
  }
  return { placeholders, names, faults };
}

/** A query with markers of the engine, and the way back to the text of its author. */
export interface MarkedQuery extends BoundQuery {
  /** Returns the offset in the author's text of one in `sql`. */
  authorOffset(offset: number): number;
}

/**
 * Returns the query with each `{{name}}` turned into a bound parameter of the engine. Throws `QueryFailure` with every
 * fault: those of `findPlaceholders`, a name that is not defined, a value that is missing or of another type.
 */
export function bindParameters(
  kind: SourceDescription['kind'],
  sql: string,
  parameters: readonly QueryParameter[],
): MarkedQuery {
  const { placeholders, faults } = findPlaceholders(sql);
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const placeOf = placesIn(sql);
  const found = [
    ...faults,
    ...placeholders.flatMap(({ name, offset }) => {
      const message = faultOf(byName.get(name));
      return message === undefined ? [] : [{ parameter: name, message, ...placeOf(offset) }];
    }),
  ];
  if (found.length > 0) {
    const words = found.map(({ parameter, message }) => `${parameter}: ${message}`).join(' ');
    throw new QueryFailure('invalid_parameters', words, { faults: found });
  }

  const values: BoundValue[] = [];
  const indexes = new Map<string, number>();
  const moves: Move[] = [];
  let marked = '';
  let copiedTo = 0;
  for (const { name, offset, length } of placeholders) {
    const { type = 'text', value = null } = byName.get(name) ?? {};
    const index = indexes.get(name) ?? values.push({ type, value });
    indexes.set(name, index);
    marked += sql.slice(copiedTo, offset);
    const marker = `($${index}${castOf(kind, { type, value })})`;
    moves.push({ at: marked.length, markerLength: marker.length, offset, length });
    marked += marker;
    copiedTo = offset + length;
  }
  marked += sql.slice(copiedTo);
  return { sql: marked, values, authorOffset: (offset) => moveBack(moves, offset) };
}

const faultOf = (parameter: QueryParameter | undefined): string | undefined =>
  parameter === undefined ? 'There is no parameter of this name.' : valueFault(parameter);

/** A marker in the engine's text, and the mark in the author's that it stands for. */
interface Move {
  readonly at: number;
  readonly markerLength: number;
  readonly offset: number;
  readonly length: number;
}

function moveBack(moves: readonly Move[], offset: number): number {
  const before = moves.findLast((move) => move.at <= offset);
  if (before === undefined) return offset;
  const past = offset - before.at - before.markerLength;
  return past < 0 ? before.offset : before.offset + before.length + past;
}

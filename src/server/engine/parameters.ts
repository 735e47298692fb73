import { findPlaceholders } from '#shared/sql/placeholders.ts';
import type { BoundQuery, BoundValue } from './opened-source.ts';
import { castOf, valueFault, type QueryParameter } from './parameter-casts.ts';
import { QueryFailure } from './failure.ts';
import type { ParameterTypes } from './source-description.ts';
import { placesIn } from './text-offsets.ts';

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
  types: ParameterTypes,
  sql: string,
  parameters: readonly QueryParameter[],
): MarkedQuery {
  const { placeholders, faults } = findPlaceholders(sql);
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const placeOf = placesIn(sql);
  const found = [
    ...faults.map(({ parameter, message, start }) => ({ parameter, message, ...placeOf(start) })),
    ...placeholders.flatMap(({ name, start }) => {
      const message = faultOf(byName.get(name));
      return message === undefined ? [] : [{ parameter: name, message, ...placeOf(start) }];
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
  for (const { name, start, end } of placeholders) {
    const { type = 'text', value = null } = byName.get(name) ?? {};
    const index = indexes.get(name) ?? values.push({ type, value });
    indexes.set(name, index);
    marked += sql.slice(copiedTo, start);
    const marker = `($${index}${castOf(types, { type, value })})`;
    moves.push({ at: marked.length, markerLength: marker.length, start, end });
    marked += marker;
    copiedTo = end;
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
  readonly start: number;
  readonly end: number;
}

function moveBack(moves: readonly Move[], offset: number): number {
  const before = moves.findLast((move) => move.at <= offset);
  if (before === undefined) return offset;
  const past = offset - before.at - before.markerLength;
  return past < 0 ? before.start : before.end + past;
}

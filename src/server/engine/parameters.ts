import { findPlaceholders } from '#shared/sql/placeholders.ts';
import type { BoundQuery, BoundValue } from './opened-source.ts';
import { castOf, valueFault, type QueryParameter } from './parameter-casts.ts';
import { QueryFailure } from './failure.ts';
import type { ParameterTypes } from './source-description.ts';
import { positionsIn } from './text-offsets.ts';

/** A query with the engine's own parameter markers, and a map of its offsets to those in the author's text. */
export interface MappedQuery extends BoundQuery {
  /** Returns the offset in the author's text that corresponds to an offset in `sql`. */
  authorOffset(offset: number): number;
}

/**
 * Returns the query with each `{{name}}` replaced by a bound parameter of the engine. Throws `QueryFailure` with every
 * fault: those of `findPlaceholders`, undefined names, and values that are missing or of the wrong type.
 */
export function bindParameters(
  types: ParameterTypes,
  sql: string,
  parameters: readonly QueryParameter[],
): MappedQuery {
  const { placeholders, faults } = findPlaceholders(sql);
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const positionOf = positionsIn(sql);
  const found = [
    ...faults.map(({ parameter, message, start }) => ({ parameter, message, ...positionOf(start) })),
    ...placeholders.flatMap(({ name, start }) => {
      const message = faultOf(byName.get(name));
      return message === undefined ? [] : [{ parameter: name, message, ...positionOf(start) }];
    }),
  ];
  if (found.length > 0) {
    const message = found.map((fault) => `${fault.parameter}: ${fault.message}`).join(' ');
    throw new QueryFailure('invalid_parameters', message, { faults: found });
  }

  const values: BoundValue[] = [];
  const indexes = new Map<string, number>();
  const replacements: Replacement[] = [];
  let engineSql = '';
  let copiedTo = 0;
  for (const { name, start, end } of placeholders) {
    const { type = 'text', value = null } = byName.get(name) ?? {};
    const index = indexes.get(name) ?? values.push({ type, value });
    indexes.set(name, index);
    engineSql += sql.slice(copiedTo, start);
    const marker = `($${index}${castOf(types, { type, value })})`;
    replacements.push({ at: engineSql.length, markerLength: marker.length, start, end });
    engineSql += marker;
    copiedTo = end;
  }
  engineSql += sql.slice(copiedTo);
  return { sql: engineSql, values, authorOffset: (offset) => toAuthorOffset(replacements, offset) };
}

const faultOf = (parameter: QueryParameter | undefined): string | undefined =>
  parameter === undefined ? 'This parameter is not defined.' : valueFault(parameter);

/** A marker in the engine's text, and the placeholder in the author's text that it replaces. */
interface Replacement {
  readonly at: number;
  readonly markerLength: number;
  readonly start: number;
  readonly end: number;
}

function toAuthorOffset(replacements: readonly Replacement[], offset: number): number {
  const before = replacements.findLast(({ at }) => at <= offset);
  if (before === undefined) return offset;
  const past = offset - before.at - before.markerLength;
  return past < 0 ? before.start : before.end + past;
}

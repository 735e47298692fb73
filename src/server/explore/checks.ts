import type { AxisMembers, SelectionMembers } from '#contract/explore.ts';
import type { Fault } from '#contract/problem.ts';
import { isDay } from '#shared/dates/days.ts';
import { isDatetime } from '#shared/dates/times.ts';
import { defaultTimeZone, isTimeZone } from '#shared/dates/time-zones.ts';
import { chartKindOf, edgeAt, type Axis, type RangeAxis, type Selection } from '#shared/explore/axes.ts';
import { AtriumError } from '../base/errors.ts';
import { requireColumn, type Explored } from './target.ts';
import type { ExploredColumn } from './sql.ts';

/** Throws `invalid_body` unless the column of an axis exists and the axis is complete and fits its type. */
export function requireAxis(explored: Explored, axis: Axis, pointer: string): ExploredColumn {
  const column = requireColumn(explored, axis.column, `${pointer}/column`);
  if (chartKindOf(column.type) !== axis.kind) throw invalid(`${pointer}/kind`, 'does not fit the column');
  const { unit, times, per, first, count, perBin, values }: AxisMembers = axis as AxisMembers;
  if (axis.kind === 'values') {
    const type = column.type === 'boolean' ? 'boolean' : 'string';
    if (values === undefined || values.some((value) => typeof value !== type || hasNul(value)))
      throw invalid(`${pointer}/values`, 'must be values of the column');
    return column;
  }
  const isComplete = [times, per, first, count, perBin].every((number) => number !== undefined);
  const hasUnit = axis.kind === 'time' ? unit !== undefined : unit === undefined;
  if (!isComplete || !hasUnit || !hasFiniteEdges(axis))
    throw invalid(pointer, 'must be an axis as in a profile');
  return column;
}

const hasFiniteEdges = (axis: RangeAxis): boolean =>
  [0, axis.count].every((cell) => Number.isFinite(edgeAt(axis, cell)));

/** Throws `invalid_body` unless the columns of the selections exist and their values fit the types. */
export function requireSelections(
  explored: Explored,
  selections: readonly Selection[],
): { readonly column: ExploredColumn; readonly selection: Selection }[] {
  return selections.map((selection, index) => {
    const pointer = `/selections/${index}`;
    const column = requireColumn(explored, selection.column, `${pointer}/column`);
    if (chartKindOf(column.type) !== selection.kind)
      throw invalid(`${pointer}/kind`, 'does not fit the column');
    const { from, to, values }: SelectionMembers = selection as SelectionMembers;
    const isValid =
      selection.kind === 'values'
        ? values?.every((value) => value === null || isValueOf(column, value)) === true
        : isEdge(selection.kind, from) && isEdge(selection.kind, to);
    if (!isValid) throw invalid(pointer, 'must have a range or values that fit the column');
    return { column, selection };
  });
}

const isValueOf = ({ type }: ExploredColumn, value: unknown): boolean =>
  type === 'boolean' ? typeof value === 'boolean' : typeof value === 'string' && !hasNul(value);

const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0');

function isEdge(kind: 'number' | 'time', edge: unknown): boolean {
  if (kind === 'number') return Number.isFinite(edge);
  return typeof edge === 'string' && (isDay(edge) || isDatetime(edge));
}

/** Throws `invalid_body` unless the time zone exists. */
export function requireTimeZone(timeZone = defaultTimeZone): string {
  if (isTimeZone(timeZone)) return timeZone;
  throw invalid('/timeZone', 'must be the name of a time zone, such as Europe/Berlin');
}

export function invalid(pointer: string, message: string): AtriumError {
  const fault: Fault = { pointer, code: 'invalid', message };
  return new AtriumError('invalid_body', `${pointer.slice(1)} ${message}.`, { faults: [fault] });
}

import { dayMs } from '#shared/dates/days.ts';
import { isTemporal } from '#shared/columns.ts';
import {
  findColumn,
  toNumber,
  toPosition,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';
import { createFormatter } from '../values/formats.ts';
import { orderRows, type RowOrder } from '../values/value-order.ts';

/** A bar of a Gantt chart, from a row. */
export interface Bar {
  readonly row: readonly unknown[];
  readonly label: string;
  /** Empty if there are no groups. */
  readonly group: string;
  readonly start: number;
  /** The end of the last day, if the row has a date; undefined if the row has none. */
  readonly end: number | undefined;
  /** From 0 to 1. */
  readonly progress: number | undefined;
  /** The index of its line, from the top. */
  readonly lane: number;
}

export interface Bars {
  readonly bars: readonly Bar[];
  /** The label of each line; empty if it continues the one above. */
  readonly lanes: readonly string[];
  readonly groups: readonly string[];
  /** How many rows have no start, or an end before it. */
  readonly invalid: number;
  /** How many valid rows there are. */
  readonly valid: number;
  /** How many rows that are shown have no end. */
  readonly open: number;
}

/** More lines than this can't be found by scrolling. */
export const maxLanes = 200;
/** More bars than this take too long to draw. */
export const maxBars = 2_000;

export interface BarColumns {
  readonly label: ResultColumn;
  readonly start: ResultColumn;
  readonly end: ResultColumn;
  readonly group: ResultColumn | undefined;
  readonly progress: ResultColumn | undefined;
}

/** Whether two columns can be the start and the end of the same bars: both are numbers, both times of day, or both dates. */
export const areComparable = ({ start, end }: Pick<BarColumns, 'start' | 'end'>): boolean =>
  isTemporal(start.type) === isTemporal(end.type) && (start.type === 'time') === (end.type === 'time');

/** Returns the columns of a Gantt chart; undefined if one that it requires is missing. */
export function barColumns(
  settings: {
    readonly label: string;
    readonly start: string;
    readonly end: string;
    readonly group?: string;
    readonly progress?: string;
  },
  result: ResultRows,
): BarColumns | undefined {
  const find = (field: string | undefined) => (field === undefined ? undefined : findColumn(result, field));
  const [label, start, end] = [find(settings.label), find(settings.start), find(settings.end)];
  if (label === undefined || start === undefined || end === undefined) return undefined;
  return { label, start, end, group: find(settings.group), progress: find(settings.progress) };
}

type Candidate = Omit<Bar, 'lane'>;

/**
 * Returns a bar for each row: those with the same label are in one line, unless they overlap. Lines are in the order of the groups of their
 * first rows, and otherwise in that of the rows.
 */
export function barsOf(columns: BarColumns, result: ResultRows, sort: RowOrder | undefined): Bars {
  const candidates = candidatesOf(columns, orderRows(result, sort));
  const groups = [...new Set(candidates.map(({ group }) => group))];
  const ranks = new Map(groups.map((group, index) => [group, index]));
  const rankOf = (ofLabel: readonly Candidate[]) => ranks.get(ofLabel[0]?.group ?? '') ?? 0;
  const labels = [...Map.groupBy(candidates, ({ label }) => label)].toSorted(
    ([, a], [, b]) => rankOf(a) - rankOf(b),
  );
  const lanes: string[] = [];
  const bars: Bar[] = [];
  for (const [label, ofLabel] of labels) {
    const first = lanes.length;
    /** Where each line of this label ends. */
    const ends: number[] = [];
    for (const bar of ofLabel.toSorted((a, b) => a.start - b.start)) {
      const free = ends.findIndex((end) => end <= bar.start);
      const line = free === -1 ? ends.length : free;
      if (bars.length >= maxBars || first + line >= maxLanes) continue;
      ends[line] = Math.max(bar.end ?? Infinity, bar.start);
      lanes[first + line] = line === 0 ? label : '';
      bars.push({ ...bar, lane: first + line });
    }
  }
  return {
    bars,
    lanes,
    groups: columns.group === undefined ? [] : groups,
    invalid: result.rows.length - candidates.length,
    valid: candidates.length,
    open: bars.filter(({ end }) => end === undefined).length,
  };
}

function candidatesOf(
  { label, start, end, group, progress }: BarColumns,
  rows: ResultRows['rows'],
): readonly Candidate[] {
  const writeLabel = createFormatter(label);
  const writeGroup = group && createFormatter(group);
  const done = progress && rows.map((row) => toNumber(row[progress.index]));
  const scale = done?.some((value) => value !== undefined && value > 1) === true ? 100 : 1;
  return rows.flatMap((row, index): Candidate[] => {
    const from = toPosition(row[start.index], start.type);
    const to = toPosition(row[end.index], end.type);
    if (from === undefined || (to === undefined && row[end.index] !== null)) return [];
    if (to !== undefined && to < from) return [];
    const share = done?.[index];
    return [
      {
        row,
        label: writeLabel(row[label.index]),
        group: group && writeGroup ? writeGroup(row[group.index]) : '',
        start: from,
        end: to === undefined || end.type !== 'date' ? to : to + dayMs,
        progress: share === undefined ? undefined : Math.min(Math.max(share / scale, 0), 1),
      },
    ];
  });
}

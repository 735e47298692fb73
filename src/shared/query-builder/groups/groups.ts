import type { Context } from '../context.ts';
import type { ReportFault } from '../faults.ts';
import { nameFault, type ResultNames } from '../names.ts';
import { labelOf, type Resolve, type ResolvedColumn } from '../scope.ts';
import { binStart } from '../sql/bins.ts';
import { truncated } from '../sql/time.ts';
import type { ColumnReference, Granularity, Group } from '../structure.ts';
import { reportGroupingFaults } from './grouping-faults.ts';

/** A column of the result that rows are grouped by. */
export interface GroupColumn extends ResolvedColumn {
  /** Its name in the result. */
  readonly as: string;
  readonly granularity: Granularity | undefined;
}

/** Returns the columns of the groups, without those that have faults, which are reported. */
export function groupColumns(
  context: Context,
  resolve: Resolve,
  names: ResultNames,
  groups: readonly Group[],
  report: ReportFault,
): readonly GroupColumn[] {
  return groups.flatMap((group, index) => {
    const pointer = `/groups/${index}`;
    const column = resolve(group.column);
    if (column === undefined) {
      report(`${pointer}/column`, `The column “${labelOf(group.column)}” doesn’t exist.`);
      return [];
    }
    if (!reportGroupingFaults(report, pointer, column.type, group)) return [];
    if (group.name !== undefined) {
      const fault =
        nameFault(context.dialect, group.name) ??
        (names.take(group.name) ? undefined : `Another column of the result is also called “${group.name}”.`);
      if (fault !== undefined) report(`${pointer}/name`, fault);
    }
    const as = group.name ?? names.takeFirst(...impliedNames(group.column, group.granularity));
    return [{ ...grouped(context, column, group), as, granularity: group.granularity }];
  });
}

/** Returns the names that a column without one may have in the result, the best first. */
export function impliedNames(
  { table, name }: ColumnReference,
  granularity?: Granularity,
): readonly [string, ...string[]] {
  const others = [
    table === undefined ? [] : `${table}_${name}`,
    granularity === undefined ? [] : `${name}_${granularity}`,
  ];
  return [name, ...others.flat()];
}

function grouped(context: Context, column: ResolvedColumn, { granularity, binWidth }: Group): ResolvedColumn {
  if (granularity !== undefined) {
    const group = truncated(context, column, granularity);
    return group.sql === column.sql ? column : { ...group, name: undefined };
  }
  if (binWidth === undefined) return column;
  return { sql: binStart(context, column, binWidth), type: 'double', name: undefined };
}

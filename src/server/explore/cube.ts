import type { CubeLine, ExploreTarget } from '#contract/explore.ts';
import { binsOf, cellCount, type Axis, type Selection } from '#shared/explore/axes.ts';
import type { Actor } from '../base/actor.ts';
import { createValues, type BoundSql } from './bound-sql.ts';
import { invalid, requireAxis, requireSelections, requireTimeZone } from './checks.ts';
import { asReady, toLine, type OnFailure } from './lines.ts';
import { cellSql, countSql, positionOf, selectionSql, type ExploredColumn } from './sql.ts';
import type { ResultDependencies } from '../reports/runs/allowed-values.ts';
import { readRow, requireExplored, type Explored } from './target.ts';

interface CubeInput {
  readonly target: ExploreTarget;
  readonly active: Axis;
  readonly charts: readonly Axis[];
  readonly selections: readonly Selection[];
  readonly timeZone?: string;
}

/** The most cells of a pair of charts. */
const maxPairCells = 65_536;

/**
 * Counts the rows by the cells of the active chart and the bars of each other chart. A chart shows the rows that are selected in
 * the others, so neither its own selection nor that of the active chart applies. Throws `invalid_body` and the problems of
 * `requireExplored` before the first line.
 */
export async function countCells(
  dependencies: ResultDependencies,
  actor: Actor,
  input: CubeInput,
  { signal, onFailure }: { readonly signal: AbortSignal; readonly onFailure: OnFailure },
): Promise<AsyncGenerator<CubeLine>> {
  const timeZone = requireTimeZone(input.timeZone);
  const explored = await requireExplored(dependencies, actor, input.target, signal);
  const active = { axis: input.active, column: requireAxis(explored, input.active, '/active') };
  const selections = requireSelections(explored, input.selections);
  const charts = input.charts.map((chart, index) => {
    const axis = binsOf(chart);
    const column = requireAxis(explored, axis, `/charts/${index}`);
    if (cellCount(active.axis) * cellCount(axis) > maxPairCells)
      throw invalid(`/charts/${index}`, 'has too many cells together with the active chart');
    return { axis, column };
  });
  const lines = [undefined, ...charts].map((chart, index) => {
    const applied = selections.filter(
      ({ column: { name } }) => name !== active.column.name && name !== chart?.column.name,
    );
    const query = pairSql(explored, { active, chart, applied, timeZone });
    return toLine<CubeLine>({ chart: index - 1 }, () => readCounts(explored, query), onFailure);
  });
  return asReady(lines);
}

interface Chart {
  readonly axis: Axis;
  readonly column: ExploredColumn;
}

/** Returns the query of a pair of charts, or of the active chart only. */
function pairSql(
  { from, parameters }: Explored,
  {
    active,
    chart,
    applied,
    timeZone,
  }: {
    readonly active: Chart;
    readonly chart: Chart | undefined;
    readonly applied: readonly { readonly column: ExploredColumn; readonly selection: Selection }[];
    readonly timeZone: string;
  },
): BoundSql {
  const values = createValues(parameters);
  const positions = [`${positionOf(active.column, active.axis, timeZone, values)} AS active`];
  let cell = cellSql(active.axis, active.column, 'active', values);
  if (chart !== undefined) {
    positions.push(`${positionOf(chart.column, chart.axis, timeZone, values)} AS chart`);
    cell = `${cell} * ${cellCount(chart.axis)} + ${cellSql(chart.axis, chart.column, 'chart', values)}`;
  }
  const conditions = applied.map(({ column, selection }) =>
    selectionSql(column, selection, timeZone, values),
  );
  return values.bind(countSql(from, { positions: positions.join(', '), cell, conditions }));
}

/** Returns the cells that occur, and how many rows each has. */
export async function readCounts(
  explored: Explored,
  query: BoundSql,
): Promise<{ readonly cells: number[]; readonly counts: number[] }> {
  const [cells, counts] = await readRow(explored, query);
  // Sound because both columns are lists of numbers, or null if no row is selected.
  return { cells: (cells ?? []) as number[], counts: (counts ?? []) as number[] };
}

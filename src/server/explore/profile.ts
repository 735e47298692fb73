import type { ColumnProfile, ExploreTarget, ProfileLine } from '#contract/explore.ts';
import { chartKindOf, edgeAt, type RangeAxis } from '#shared/explore/axes.ts';
import { denseRange, numberAxis, timeAxis } from '#shared/explore/plan.ts';
import { quoteName } from '#shared/sql/names.ts';
import type { Actor } from '../base/actor.ts';
import { createValues } from './bound-sql.ts';
import { requireTimeZone } from './checks.ts';
import { readCounts } from './cube.ts';
import { asReady, toLine, type OnFailure } from './lines.ts';
import { cellSql, countSql, positionOf, type ExploredColumn } from './sql.ts';
import { readSummaries, type ColumnSummary } from './summaries.ts';
import type { ResultDependencies } from '../reports/runs/allowed-values.ts';
import { requireColumn, requireExplored, type Explored } from './target.ts';
import { readTopValues } from './top-values.ts';

interface ProfileInput {
  readonly target: ExploreTarget;
  readonly columns?: readonly string[];
  readonly timeZone?: string;
}

const defaultColumns = 12;

/**
 * Describes the rows, and then each column as soon as its distribution is known. Throws `invalid_body` and the problems of
 * `requireExplored` before the first line.
 */
export async function profileColumns(
  dependencies: ResultDependencies,
  actor: Actor,
  input: ProfileInput,
  { signal, onFailure }: { readonly signal: AbortSignal; readonly onFailure: OnFailure },
): Promise<AsyncGenerator<ProfileLine>> {
  const timeZone = requireTimeZone(input.timeZone);
  const explored = await requireExplored(dependencies, actor, input.target, signal);
  return profileExplored(explored, { ...input, timeZone }, onFailure);
}

/** Like `profileColumns`, for rows that the actor is known to have access to. */
export async function profileExplored(
  explored: Explored,
  input: { readonly columns?: readonly string[]; readonly timeZone: string },
  onFailure: OnFailure,
): Promise<AsyncGenerator<ProfileLine>> {
  const columns = input.columns?.map((name, index) => requireColumn(explored, name, `/columns/${index}`));
  const shown = columns ?? chooseColumns(explored);
  const { rowCount, summaries } = await readSummaries(explored, shown, input.timeZone);
  return linesOf({ rowCount, columns: [...explored.columns.values()] }, () =>
    shown.map(async (column, index) => {
      const summary = summaries[index];
      const facts = { column: column.name, nullCount: summary?.nullCount ?? 0 };
      const read = (): Promise<Partial<ColumnProfile>> =>
        readProfile(explored, column, summary, input.timeZone);
      return { profile: await toLine<ColumnProfile>(facts, read, onFailure) };
    }),
  );
}

async function* linesOf(
  first: ProfileLine,
  start: () => readonly Promise<ProfileLine>[],
): AsyncGenerator<ProfileLine> {
  yield first;
  yield* asReady(start());
}

const chooseColumns = ({ columns }: Explored): ExploredColumn[] =>
  [...columns.values()].filter(({ type }) => chartKindOf(type) !== undefined).slice(0, defaultColumns);

async function readProfile(
  explored: Explored,
  column: ExploredColumn,
  summary: ColumnSummary | undefined,
  timeZone: string,
): Promise<Partial<ColumnProfile>> {
  if (summary?.valueCount === undefined || summary.valueCount === 0) return {};
  if (summary.isUnique === true) return {};
  if (chartKindOf(column.type) === 'values') return readTopValues(explored, column);
  const { min, max, notFiniteCount } = summary;
  if (min === undefined || max === undefined) return notFiniteCount === undefined ? {} : { notFiniteCount };
  const counted = await readHistogram(explored, column, { min, max }, timeZone);
  const text = (value: number): string => textOf(column, value);
  return { ...counted, min: text(min), max: text(max), ...(notFiniteCount && { notFiniteCount }) };
}

function textOf({ type }: ExploredColumn, value: number): string {
  if (chartKindOf(type) === 'number') return String(value);
  return new Date(value * 1000).toISOString().slice(0, type === 'date' ? 10 : 19);
}

interface Histogram {
  readonly axis: RangeAxis;
  readonly cells: number[];
  readonly counts: number[];
}

/** How often a range is narrowed to where nearly all values are. */
const maxNarrowings = 5;

async function readHistogram(
  explored: Explored,
  column: ExploredColumn,
  range: { readonly min: number; readonly max: number },
  timeZone: string,
): Promise<Histogram> {
  let histogram = await countRange(explored, column, axisOf(column, range), timeZone);
  for (let narrowings = 0; narrowings < maxNarrowings; narrowings += 1) {
    const { axis } = histogram;
    const dense = denseRange(insideOf(histogram));
    if (dense === undefined || axis.unit === 'month') break;
    const max = Math.min(edgeAt(axis, dense.to + 1), range.max);
    const narrower = axisOf(column, { min: Math.max(edgeAt(axis, dense.from), range.min), max });
    if (narrower.times / narrower.per >= axis.times / axis.per) break;
    histogram = await countRange(explored, column, narrower, timeZone);
  }
  return histogram;
}

const axisOf = (
  { name, type }: ExploredColumn,
  range: { readonly min: number; readonly max: number },
): RangeAxis =>
  chartKindOf(type) === 'time'
    ? timeAxis(name, { ...range, type })
    : numberAxis(name, { ...range, isInteger: type === 'integer' });

async function countRange(
  explored: Explored,
  column: ExploredColumn,
  axis: RangeAxis,
  timeZone: string,
): Promise<Histogram> {
  const values = createValues(explored.parameters);
  const positions = `${positionOf(column, axis, timeZone, values)} AS active`;
  const cell = cellSql(axis, column, 'active', values);
  const conditions = [`${quoteName(column.name)} IS NOT NULL`];
  const query = values.bind(countSql(explored.from, { positions, cell, conditions }));
  return { axis, ...(await readCounts(explored, query)) };
}

function insideOf({ axis, cells, counts }: Histogram): number[] {
  const inside = Array.from({ length: axis.count }, () => 0);
  for (const [index, cell] of cells.entries()) if (cell < axis.count) inside[cell] = counts[index] ?? 0;
  return inside;
}

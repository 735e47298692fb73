import { Type, type Static } from 'typebox';
import { maxValueLength } from '#shared/parameter-values.ts';
import type { Axis, Selection } from '#shared/explore/axes.ts';
import { Column, maxQueryResponseMs } from './data-sources/data-sources.ts';
import { PartialProblem } from './problem.ts';
import { ParameterValues, QueryFailed, ReportResult } from './reports/runs.ts';
import { GivenId, maxTypedLength } from './limits.ts';
import { defineRoute } from './route.ts';

/** What is explored: a table of a data source, or the result of a report. */
export const ExploreTarget = Type.Object({
  dataSourceId: Type.Optional(Type.String({ ...GivenId, description: 'With `table`' })),
  schema: Type.Optional(
    Type.String({ maxLength: maxTypedLength, description: 'The schema of the table in its database' }),
  ),
  table: Type.Optional(Type.String({ maxLength: 1_000 })),
  reportId: Type.Optional(Type.String({ ...GivenId, description: 'Instead of a table' })),
  parameters: Type.Optional(ParameterValues),
});
export type ExploreTarget = Static<typeof ExploreTarget>;

const column = Type.String({ maxLength: 1_000 });
const cell = Type.Integer({ minimum: -1e15, maximum: 1e15 });

const axis = Type.Object({
  kind: Type.Enum(['number', 'time', 'values']),
  column,
  unit: Type.Optional(
    Type.Enum(['second', 'month'], {
      description: 'For a time: seconds since 1970 or months since the year 0, on the clock of the time zone',
    }),
  ),
  times: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  per: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, description: 'Cell `n` starts at `(first + n) * times / per`' }),
  ),
  first: Type.Optional(cell),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  perBin: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Cells of a bar' })),
  values: Type.Optional(
    Type.Array(Type.Unsafe<string | boolean>({ type: ['string', 'boolean'], maxLength: 10_000 }), {
      maxItems: 100,
      description: 'For `values`: each of them is a cell',
    }),
  ),
});
/** How the chart of a column divides its values into cells. */
export const ExploreAxis = Type.Unsafe<Axis>(axis);
/** The members of an axis, which depend on its kind. */
export type AxisMembers = Static<typeof axis>;

const selection = Type.Object({
  kind: Type.Enum(['number', 'time', 'values']),
  column,
  from: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      maxLength: maxValueLength,
      description: 'Included',
    }),
  ),
  to: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      maxLength: maxValueLength,
      description: 'Excluded',
    }),
  ),
  values: Type.Optional(
    Type.Array(
      Type.Unsafe<string | boolean | null>({ type: ['string', 'boolean', 'null'], maxLength: 10_000 }),
      { maxItems: 100, description: 'Null selects the rows without a value' },
    ),
  ),
});
/** The rows that are selected in the chart of a column. */
export const ExploreSelection = Type.Unsafe<Selection>(selection);
/** The members of a selection, which depend on its kind. */
export type SelectionMembers = Static<typeof selection>;

const Selections = Type.Array(ExploreSelection, { maxItems: 50 });
const TimeZone = Type.Optional(
  Type.String({ maxLength: 100, description: 'In which instants fall on a day; `UTC` by default' }),
);

/** How often each cell occurs. Cells that don't occur are left out. */
const counted = {
  cells: Type.Array(Type.Integer()),
  counts: Type.Array(Type.Integer(), { description: 'As many as `cells`' }),
};

/** The profile of one column. */
export const ColumnProfile = Type.Object({
  column: Type.String(),
  nullCount: Type.Optional(Type.Integer()),
  axis: Type.Optional(ExploreAxis),
  ...Type.Partial(Type.Object(counted)).properties,
  min: Type.Optional(Type.String({ description: 'The smallest value that is finite' })),
  max: Type.Optional(Type.String()),
  notFiniteCount: Type.Optional(Type.Integer({ description: 'Values that are infinite or not a number' })),
  distinctCount: Type.Optional(Type.Integer({ description: 'Omitted if nearly every value is different' })),
  problem: Type.Optional(PartialProblem),
});
export type ColumnProfile = Static<typeof ColumnProfile>;

/** A line of a profile: the first one describes the table, each of the others a column. */
export const ProfileLine = Type.Object({
  rowCount: Type.Optional(Type.Integer()),
  columns: Type.Optional(Type.Array(Column, { description: 'All columns that can be explored' })),
  profile: Type.Optional(ColumnProfile),
});
export type ProfileLine = Static<typeof ProfileLine>;

/** The rows of one chart by the cells of the chart in which people select. */
export const CubeLine = Type.Object({
  chart: Type.Integer({ description: 'The index of the chart in `charts`; -1 for the active chart itself' }),
  ...Type.Partial(Type.Object(counted)).properties,
  problem: Type.Optional(PartialProblem),
});
export type CubeLine = Static<typeof CubeLine>;

const base = { tag: 'Explore', access: 'session', method: 'POST', status: 200 } as const;
const common = {
  maxResponseMs: maxQueryResponseMs,
  problems: [
    'forbidden',
    'not_found',
    'query_failed',
    'query_timed_out',
    'query_too_large',
    'source_unreachable',
    'queries_busy',
  ],
  problemReplies: { query_failed: QueryFailed },
} as const;
const rights =
  'A table requires the editor role or higher; the result of a report can be explored by everybody who can read it.';

export const profileColumns = defineRoute({
  ...base,
  ...common,
  id: 'profileColumns',
  summary: 'Profile the columns of a table or of a report’s result',
  description: `Returns a line for the table, and then one for each column as soon as it is ready. ${rights}`,
  path: '/api/explore/profile',
  body: Type.Object({
    target: ExploreTarget,
    columns: Type.Optional(
      Type.Array(column, { maxItems: 24, description: 'By default, the first 12 that have a chart' }),
    ),
    timeZone: TimeZone,
  }),
  reply: ProfileLine,
  mediaType: 'application/x-ndjson',
});

export const countCells = defineRoute({
  ...base,
  ...common,
  id: 'countCells',
  summary: 'Count rows by the cells of two charts, to show every selection in one without another query',
  description:
    'For each chart, returns a line with the counts of the cells `active cell * cells of the chart + cell of the chart`, ' +
    'of the rows that are selected in all charts but these two. After the cells of a range come those for values below it, ' +
    `above it, and nulls; after the cells of values those for other values, and nulls. ${rights}`,
  path: '/api/explore/cube',
  body: Type.Object({
    target: ExploreTarget,
    active: ExploreAxis,
    charts: Type.Array(ExploreAxis, { maxItems: 50 }),
    selections: Selections,
    timeZone: TimeZone,
  }),
  reply: CubeLine,
  mediaType: 'application/x-ndjson',
});

export const listSelectedRows = defineRoute({
  ...base,
  ...common,
  id: 'listSelectedRows',
  summary: 'Read the first 100 rows that are selected',
  description: rights,
  path: '/api/explore/rows',
  body: Type.Object({ target: ExploreTarget, selections: Selections, timeZone: TimeZone }),
  reply: ReportResult,
});

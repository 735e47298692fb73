import type { ColumnType } from '../columns.ts';

/**
 * A query as people build it, step by step. It has everything that its SQL is generated from, so that it generates the same
 * SQL wherever and whenever that happens: see `generateQuery`.
 */
export interface QueryStructure {
  readonly table: QueriedTable;
  readonly joins?: readonly Join[];
  readonly customColumns?: readonly CustomColumn[];
  /** Rows that fail one of them are left out before anything is summarized. */
  readonly filters?: readonly Filter[];
  /** The columns of a query that doesn't summarize. Default: all columns of its first table, and the custom ones. */
  readonly columns?: readonly ColumnReference[];
  readonly groups?: readonly Group[];
  readonly measures?: readonly Measure[];
  /** Filters of the summarized rows, after measures are compared. Their columns are those of the result. */
  readonly resultFilters?: readonly Filter[];
  /** Default: the groups in their order. */
  readonly sort?: readonly SortedColumn[];
  /** The most rows to return, from 1. */
  readonly limit?: number;
  /** The IANA time zone in which an `instant` falls on a day. Default: UTC. */
  readonly timeZone?: string;
  readonly weekStart?: WeekStart;
}

export const weekStarts = ['monday', 'sunday', 'saturday'] as const;
/** The first day of a week. Default: Monday. */
export type WeekStart = (typeof weekStarts)[number];

/** A table with the columns that the query may refer to. */
export interface QueriedTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly TypedColumn[];
}

export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** What the data source calls a type such as an enum, whose values are text, but must be cast to it. */
  readonly sourceType?: string;
}

export const joinKinds = ['left', 'inner'] as const;

/** A table whose columns are added to the rows of those before it. */
export interface Join {
  readonly kind: (typeof joinKinds)[number];
  readonly table: QueriedTable;
  /** What the query calls the table; unique among its tables. */
  readonly as: string;
  /** Pairs of columns that must be equal. */
  readonly on: readonly { readonly left: ColumnReference; readonly right: string }[];
}

/** A column of the first table, a custom column, or a column of a joined table. */
export interface ColumnReference {
  /** The `as` of a join; absent for the first table and for custom columns. */
  readonly table?: string;
  readonly name: string;
}

/** A column that is computed for each row. Its formula may refer to the custom columns before it. */
export interface CustomColumn {
  readonly name: string;
  readonly formula: string;
}

export type FilterValue = string | number | boolean;

export const textOperators = ['contains', 'does_not_contain', 'starts_with', 'ends_with'] as const;
export const emptyOperators = ['is_empty', 'is_not_empty'] as const;
export const rangeUnits = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type RangeUnit = (typeof rangeUnits)[number];

/** Whether a unit of time, or a granularity, is shorter than a day, so that dates without a time don't have it. */
export const isTimeOfDay = (unit: Granularity): boolean =>
  unit === 'minute' || unit === 'hour' || unit === 'hour_of_day';

/** What a filter demands of the values of its column. */
export type Condition =
  /** One of the values, or none of them. */
  | { readonly operator: 'is' | 'is_not'; readonly values: readonly FilterValue[] }
  /** Ignores case. */
  | { readonly operator: (typeof textOperators)[number]; readonly text: string }
  /** Both ends are included, and a last day as a whole. Without an end, the range is open there. */
  | {
      readonly operator: 'between';
      readonly from?: string | number;
      readonly to?: string | number;
      /** Whether `to` isn't part of the range. */
      readonly isEndExcluded?: boolean;
    }
  /** The last 3 months, this week, the next 7 days: counted from now. */
  | {
      readonly operator: 'relative';
      readonly direction: 'last' | 'this' | 'next';
      /** From 1; only 1 with `this`. */
      readonly count: number;
      readonly unit: RangeUnit;
      /** Whether the current unit, which isn't over, is included. Always with `this`. */
      readonly includesCurrent?: boolean;
    }
  /** The rows of one group: see `Group`. Without a value, those where the column is null. */
  | ({ readonly operator: 'in_group'; readonly value?: FilterValue } & Grouping)
  /** Null, or for text also the empty text. */
  | { readonly operator: (typeof emptyOperators)[number] };

/** A condition on a column, or a formula that must be true. */
export type SimpleFilter =
  | ({
      readonly column: ColumnReference;
      /** The parameter of the report that has the value, or the start of its name. Default: the name of the column. */
      readonly parameter?: string;
      /** Whether the parameter may be empty, and the filter then allows all rows. */
      readonly isOptional?: boolean;
    } & Condition)
  | { readonly formula: string };

/** A filter, or lists of them: all filters of at least one list must be true. */
export type Filter = SimpleFilter | { readonly any: readonly (readonly SimpleFilter[])[] };

export const granularities = [
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'hour_of_day',
  'day_of_week',
  'month_of_year',
] as const;
/** The units of time that rows can be grouped by; the last three repeat, and are numbers (Monday is 1). */
export type Granularity = (typeof granularities)[number];

export interface Grouping {
  /** For dates and times. Default: each value is a group. */
  readonly granularity?: Granularity;
  /** For numbers: the width of a group, which starts at a multiple of it. Default: each value is a group. */
  readonly binWidth?: number;
}

/** A column whose values the rows are grouped by. */
export interface Group extends Grouping {
  readonly column: ColumnReference;
  /** The name in the result. Default: the name of the column. */
  readonly name?: string;
}

export const aggregates = ['count_distinct', 'sum', 'average', 'median', 'min', 'max'] as const;
export type Aggregate = (typeof aggregates)[number];

export const comparisons = ['share_of_total', 'change', 'percent_change', 'running_total'] as const;
/**
 * What is shown of a measure instead of its value: its share of the total (0 to 1), its change from the previous period as a
 * difference or as a share (0.1 is 10 % more), or the total up to the period. Shares are those of the last group within the
 * others. The other comparisons need a group of dates or times, and are made within the other groups; without a previous
 * period, there is no change.
 */
export type Comparison = (typeof comparisons)[number];

/** A value that is computed of the rows of each group. */
export type Measure = {
  /** The name in the result. */
  readonly name: string;
  readonly comparison?: Comparison;
} & (
  | { readonly aggregate: 'count' }
  | { readonly aggregate: Aggregate; readonly column: ColumnReference }
  /** `percent` is from 0 to 100. */
  | { readonly aggregate: 'percentile'; readonly column: ColumnReference; readonly percent: number }
  /** A formula with aggregates, such as `sum([amount]) / count()`. */
  | { readonly aggregate: 'formula'; readonly formula: string }
);

export interface SortedColumn {
  /** A column of the result. */
  readonly name: string;
  readonly isDescending?: boolean;
}

import type { Visualization } from '#contract/reports/visualizations.ts';
import type { Fields, Requirement } from '#shared/visualizations/fields.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';

export type KindName = Visualization['kind'];

/** A visualization of this kind. */
export type OfKind<Name extends KindName> = Extract<Visualization, { kind: Name }>;

/** The columns that a visualization shows, by their roles, which all kinds have in common. */
export interface Roles {
  /** The column that the measures are grouped by. */
  readonly category?: string | undefined;
  /** The column that splits each category into series. */
  readonly split?: string | undefined;
  readonly measures: readonly {
    readonly field: string;
    readonly label?: string | undefined;
    readonly format?: ValueFormat | undefined;
  }[];
}

/** The columns to create a visualization of another kind from. */
export interface ColumnChoice {
  readonly before: Visualization;
  readonly category: string | undefined;
  readonly split: string | undefined;
  /** The numeric columns that were shown before, or else the first numeric column. */
  readonly measures: readonly string[];
  /** Returns the preferred column if it is suitable and not in `used`, or else the first such column. */
  pick(requirement: Requirement, preferred: string | undefined, used: readonly string[]): string | undefined;
}

/**
 * The rules of a kind of visualization, listed in `kinds.ts`. A kind that ECharts draws has `echarts.ts` beside them, which is
 * listed in `charts.ts`. Its components are in the folder of the same name in the web app: `editing.ts`, and `view.tsx` for the others.
 */
export interface VisualizationKind<Shown extends Visualization> {
  readonly name: string;
  readonly fields: Fields;
  /** The size of a new widget, in columns and rows of the grid. */
  readonly size: { readonly w: number; readonly h: number };
  roles(visualization: Shown): Roles;
  /** Returns the settings of a new visualization; undefined if there are no suitable columns. */
  create(choice: ColumnChoice): Omit<Shown, 'kind' | 'title'> | undefined;
}

import type { ComponentType, ReactNode } from 'react';
import type { Column } from '#contract/data-sources.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { Fields, Requirement } from '#shared/visualizations/fields.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import type { ChooseMark, StateOf } from './marks/mark.ts';

export type KindName = Visualization['kind'];

/** A visualization of this kind. */
export type OfKind<Name extends KindName> = Extract<Visualization, { kind: Name }>;

export interface ViewProps<Shown extends Visualization> {
  readonly visualization: Shown;
  readonly result: ReportResult;
  /** The name of the chart, for people who use a screen reader. */
  readonly name: string;
  /** Opens the menu of a mark or selects it; undefined if nothing can be done with marks. */
  readonly choose: ChooseMark | undefined;
  readonly stateOf: StateOf | undefined;
}

export interface SettingsProps<Shown extends Visualization, Changed = Shown> {
  readonly visualization: Shown;
  /** The columns of the last result; empty before the first. */
  readonly columns: readonly Column[];
  readonly onChange: (visualization: Changed) => void;
}

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
 * The rules of a kind of visualization, listed in `kinds.ts`. Its components are the other files of its folder: `editing.ts`,
 * and `view.tsx` or `echarts.ts`. Vite bundles the charts into one chunk and the settings into another.
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

/** The component of a kind that is loaded with every page that shows results. */
export interface View {
  readonly kind: KindName;
  readonly View: (props: ViewProps<Visualization>) => ReactNode;
  /** Whether it is shown even if the result has no rows or lacks its columns. */
  readonly isAlwaysShown: boolean;
}

/** The icon and the settings of a kind in the report editor. */
export interface Editing {
  readonly kind: KindName;
  readonly Icon: ComponentType<{ readonly size: number; readonly 'aria-hidden': true }>;
  readonly Settings: (props: SettingsProps<Visualization>) => ReactNode;
}

// The casts are sound because each component only gets visualizations of its kind.

export const defineView = <Name extends KindName>(
  kind: Name,
  View: (props: ViewProps<OfKind<Name>>) => ReactNode,
  { isAlwaysShown = false } = {},
): View => ({ kind, View: View as View['View'], isAlwaysShown });

export const defineEditing = <Name extends KindName>(
  kind: Name,
  Icon: Editing['Icon'],
  Settings: (props: SettingsProps<OfKind<Name>, Visualization>) => ReactNode,
): Editing => ({ kind, Icon, Settings: Settings as Editing['Settings'] });

/** Returns the modules that Vite found in the folders of the kinds, by kind. */
export const byKind = <Found extends { readonly kind: KindName }>(
  modules: Readonly<Record<string, Found>>,
): ReadonlyMap<KindName, Found> => new Map(Object.values(modules).map((found) => [found.kind, found]));

import type { ComponentType, ReactNode } from 'react';
import type { Column } from '#contract/data-sources.ts';
import type { ReportResult } from '#contract/reports/reports.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { Fields, Requirement } from '#shared/visualizations/fields.ts';
import type { ValueFormat } from './values/formats.ts';

export type KindName = Visualization['kind'];

/** A visualization of this kind. */
export type OfKind<Name extends KindName> = Extract<Visualization, { kind: Name }>;

/** A value of a column that a person picks by a click. */
export interface Picked {
  readonly field: string;
  readonly value: unknown;
}

export interface ViewProps<Shown extends Visualization> {
  readonly visualization: Shown;
  readonly result: ReportResult;
  /** The name of what is shown, for people who do not see it. */
  readonly name: string;
  /** The columns whose values a click picks, and what is then called. */
  readonly pickable: ReadonlySet<string>;
  readonly onPick: ((picked: readonly Picked[]) => void) | undefined;
}

export interface SettingsProps<Shown extends Visualization, Changed = Shown> {
  readonly visualization: Shown;
  /** Of the last result; empty before the first. */
  readonly columns: readonly Column[];
  readonly onChange: (visualization: Changed) => void;
}

/** The columns that a visualization shows, by what they are for: what all kinds have in common. */
export interface Roles {
  /** What the measures are shown by. */
  readonly category?: string | undefined;
  /** What each category is split by. */
  readonly split?: string | undefined;
  readonly measures: readonly {
    readonly field: string;
    readonly label?: string | undefined;
    readonly format?: ValueFormat | undefined;
  }[];
}

/** The columns to make a visualization of another kind from. */
export interface ColumnChoice {
  readonly before: Visualization;
  readonly category: string | undefined;
  readonly split: string | undefined;
  /** The columns of numbers that were shown before, or else the first one there is. */
  readonly measures: readonly string[];
  /** Returns the preferred column if it fits and is none of `taken`, or else the first one that does. */
  pick(need: Requirement, preferred: string | undefined, taken: readonly string[]): string | undefined;
}

/**
 * The rules of a kind of visualization, listed in `kinds.ts`. Its components are the other files of its folder: `editing.ts`,
 * and `view.tsx` or `echarts.ts`. Vite puts the charts into one chunk and what editors need into another.
 */
export interface VisualizationKind<Shown extends Visualization> {
  readonly name: string;
  readonly fields: Fields;
  roles(visualization: Shown): Roles;
  /** Returns the settings of a new one; undefined if there is no column that fits. */
  create(choice: ColumnChoice): Omit<Shown, 'kind' | 'title'> | undefined;
}

/** The component of a kind that is part of every page with a result. */
export interface View {
  readonly kind: KindName;
  readonly View: (props: ViewProps<Visualization>) => ReactNode;
  /** Whether it is shown even if the result has no rows, or lacks its columns. */
  readonly isAlwaysShown: boolean;
}

/** What editors show of a kind. */
export interface Editing {
  readonly kind: KindName;
  readonly Icon: ComponentType<{ readonly size: number; readonly 'aria-hidden': true }>;
  readonly Settings: (props: SettingsProps<Visualization>) => ReactNode;
}

// The casts are sound because each component is only given visualizations of its kind.

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

/** Returns what Vite found in the folders of the kinds, by the name of the kind. */
export const byKind = <Found extends { readonly kind: KindName }>(
  modules: Readonly<Record<string, Found>>,
): ReadonlyMap<KindName, Found> => new Map(Object.values(modules).map((found) => [found.kind, found]));

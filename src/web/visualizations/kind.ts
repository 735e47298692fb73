import type { ComponentType, ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { KindName, OfKind } from '#charts/kind.ts';
import type { ChooseMark, StateOf } from '#charts/marks/mark.ts';

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

import type { Column } from '#contract/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';

/** A visualization of this kind. */
export type OfKind<Kind extends Visualization['kind']> = Extract<Visualization, { kind: Kind }>;

/** What the settings of a visualization get: how it is now, what can be drawn, and whom to tell of a change. */
export interface SettingsProps<Shown extends Visualization> {
  readonly visualization: Shown;
  /** Of the last answer; empty before the first. */
  readonly columns: readonly Column[];
  readonly onChange: (visualization: Shown) => void;
}

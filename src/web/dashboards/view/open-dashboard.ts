import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import type { Search } from '../../ui/browser/search.ts';
import type { FilterContext } from '../filters/report-values.ts';
import type { LoadedResults, ResultsLoader } from '../results/loader.ts';

/** What all widgets of an open dashboard have in common. */
export interface OpenDashboard {
  /** The widgets that show reports, in reading order. */
  readonly widgets: readonly Widget[];
  readonly results: LoadedResults;
  readonly want: ResultsLoader['want'];
  readonly filters: readonly DashboardFilter[];
  readonly context: FilterContext;
  /** The IDs of the widgets to which the current filter applies. */
  readonly highlighted: readonly string[] | undefined;
  /** Gets the filters that change. */
  readonly onFilter: (changed: Search) => void;
  readonly onRetry: () => void;
}

/** The value that widgets are shown with in a section that is repeated. */
export interface Repetition {
  readonly filter: string;
  readonly value: string;
}

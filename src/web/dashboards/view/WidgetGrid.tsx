import { useId, useLayoutEffect, useMemo, type ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { Search } from '../../ui/browser/search.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import type { FilterContext } from '../filters/report-values.ts';
import type { LoadedResults, ResultsLoader } from '../results/loader.ts';
import { showWidget } from '../results/shown-widgets.ts';
import { DashboardGrid } from './DashboardGrid.tsx';
import { WidgetCard, type HeadingLevel } from './WidgetCard.tsx';

/** What all widgets of an open dashboard have in common. */
export interface OpenDashboard {
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

/** The widgets of a grid with their results, which are loaded while the grid is visible. */
export function WidgetGrid({
  widgets,
  open,
  level = 2,
  repetition,
  isVisible = true,
}: {
  readonly widgets: readonly Widget[];
  readonly open: OpenDashboard;
  readonly level?: HeadingLevel;
  readonly repetition?: Repetition | undefined;
  /** Until it is, the widgets only take their space. */
  readonly isVisible?: boolean;
}): ReactNode {
  const { results, want, filters, context, highlighted, onFilter, onRetry } = open;
  const id = useId();
  const own = useMemo(
    (): Search => (repetition === undefined ? {} : { [repetition.filter]: repetition.value }),
    [repetition],
  );
  const ownContext = useMemo(() => ({ ...context, values: { ...context.values, ...own } }), [context, own]);
  const wanted = useMemo(
    () => widgets.map((widget) => ({ slot: slotOf(widget, repetition), widgetId: widget.id, filters: own })),
    [widgets, repetition, own],
  );
  useLayoutEffect(() => {
    if (!isVisible) return undefined;
    want(id, wanted);
    return () => want(id, undefined);
  }, [want, id, wanted, isVisible]);
  return (
    <DashboardGrid widgets={widgets} highlighted={highlighted}>
      {(widget) =>
        isVisible && (
          <WidgetCard
            {...showWidget(widget, slotOf(widget, repetition), results)}
            level={level}
            filters={filters}
            context={ownContext}
            onFilter={onFilter}
            onRetry={onRetry}
          />
        )
      }
    </DashboardGrid>
  );
}

const slotOf = ({ id }: Widget, repetition: Repetition | undefined): string =>
  repetition === undefined ? id : `${id} ${repetition.value}`;

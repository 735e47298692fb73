import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useId, useLayoutEffect, useMemo, type ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import type { Search } from '../../ui/browser/search.ts';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { showWidget } from '../results/shown-widgets.ts';
import type { OpenDashboard, Repetition } from './open-dashboard.ts';
import { DashboardGrid } from './DashboardGrid.tsx';
import { WidgetCard, type HeadingLevel } from './WidgetCard.tsx';

/** Loaded only for dashboards with texts or other widgets without a report. */
const ContentWidget = lazy(async () => ({
  default: (await loadChunk('ContentWidget', () => import('../content/ContentWidget.tsx'))).ContentWidget,
}));

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
    () =>
      widgets
        .filter(({ reportId }) => !isBuiltIn(reportId))
        .map((widget) => ({ slot: slotOf(widget, repetition), widgetId: widget.id, filters: own })),
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
        isVisible &&
        (isBuiltIn(widget.reportId) ? (
          <Suspense fallback={<Skeleton h="100%" />}>
            <ContentWidget
              widget={widget}
              level={level}
              open={open}
              beside={wanted}
              values={ownContext.values}
            />
          </Suspense>
        ) : (
          <WidgetCard
            {...showWidget(widget, slotOf(widget, repetition), results)}
            level={level}
            filters={filters}
            context={ownContext}
            onFilter={onFilter}
            onRetry={onRetry}
          />
        ))
      }
    </DashboardGrid>
  );
}

const slotOf = ({ id }: Widget, repetition: Repetition | undefined): string =>
  repetition === undefined ? id : `${id} ${repetition.value}`;

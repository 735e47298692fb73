import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { lazy, memo, Suspense, useCallback, useId, useMemo, useState, type ReactNode } from 'react';
import type { Mark } from '#charts/marks/mark.ts';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { VisualizationView } from '../../visualizations/VisualizationView.tsx';
import { noRowsMessage } from '#charts/messages.ts';
import type { Search } from '../../ui/browser/search.ts';
import { LazyDrillItems } from '../../reports/drill/LazyDrillItems.tsx';
import { useDrill } from '../../reports/drill/use-drill.tsx';
import { CommentItem } from '../comments/CommentItem.tsx';
import { markTarget } from '../comments/mark-target.ts';
import { filterActions } from '../filters/by-marks.ts';
import { reportValues, type FilterContext } from '../filters/report-values.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { isPickedBy } from '../filters/filters.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { t } from '#shared/language/messages.ts';
import type { ShownWidget } from '../results/shown-widgets.ts';
import classes from './WidgetCard.module.css';
import { FilterByMarks } from './FilterByMarks.tsx';
import { WidgetMenu } from './WidgetMenu.tsx';
import { WidgetProblem } from '../results/WidgetProblem.tsx';

/** Loaded when a menu of marks first opens. */
const ZoomToMarks = lazy(async () => ({
  default: (await loadChunk('ZoomToMarks', () => import('./zoom/ZoomToMarks.tsx'))).ZoomToMarks,
}));

export type HeadingLevel = 2 | 3 | 4;

/** A widget: its title, its menu, and the result of its report. */
export const WidgetCard = memo(function WidgetCard({
  widget,
  line,
  isOld,
  isMissing,
  level,
  filters,
  context,
  onFilter,
  onRetry,
}: ShownWidget & {
  /** The level of its heading. */
  readonly level: HeadingLevel;
  readonly filters: readonly DashboardFilter[];
  readonly context: FilterContext;
  /** Gets the filters that change. */
  readonly onFilter: (changed: Search) => void;
  readonly onRetry: () => void;
}): ReactNode {
  const { values } = context;
  const own = useMemo(
    () => filters.filter(({ widgetIds }) => widgetIds.includes(widget.id)),
    [filters, widget.id],
  );
  const [isTable, setIsTable] = useState(false);
  const title = titleOf({ widget, line }) ?? (line?.problem && t('Unknown report'));
  const result = line?.result;
  const isPicked = useMemo(
    () => (Object.keys(values).length === 0 ? undefined : isPickedBy(values, filters)),
    [values, filters],
  );
  const { drill, dialogs } = useDrill();
  const actionsFor = (marks: readonly Mark[]) => {
    const shown = { columns: result?.columns ?? [] };
    const [mark, ...others] = marks;
    const commented = result && mark && others.length === 0 ? markTarget(mark, result) : undefined;
    return (
      <>
        <FilterByMarks actions={filterActions(marks, shown, filters, values)} onChange={onFilter} />
        <Suspense>
          <ZoomToMarks visualization={line?.visualization} result={result} marks={marks} />
        </Suspense>
        <LazyDrillItems
          reportId={widget.reportId}
          result={shown}
          parameters={line === undefined ? {} : reportValues(widget, line, context)}
          marks={marks}
          drill={drill}
        />
        <CommentItem target={commented && { widgetId: widget.id, title: title ?? '', mark: commented }} />
      </>
    );
  };
  const toggleTable = useCallback(() => setIsTable((was) => !was), []);
  // A widget of a section that repeats is shown several times.
  const titleId = `widget-${useId()}`;

  return (
    <article
      className={classes['card']}
      aria-labelledby={titleId}
      aria-busy={line === undefined || isOld}
      data-widget={widget.id}
    >
      <header className={classes['head']}>
        <Text component={`h${level}`} id={titleId} className={classes['title']} title={title}>
          {title ?? (
            <>
              <VisuallyHidden>{t('Loading')}</VisuallyHidden>
              <Skeleton component="span" display="inline-block" h={12} w={120} aria-hidden />
            </>
          )}
        </Text>
        {line !== undefined && (
          <WidgetMenu
            widget={widget}
            line={line}
            title={title ?? ''}
            filters={own}
            context={context}
            isTable={isTable}
            onToggleTable={toggleTable}
          />
        )}
      </header>
      <div className={classes['body']} data-refreshing={isOld || undefined}>
        {line === undefined ? (
          isMissing ? (
            <WidgetProblem onRetry={onRetry} />
          ) : (
            <Skeleton h="100%" />
          )
        ) : result === undefined || line.visualization === undefined ? (
          <WidgetProblem line={line} onRetry={onRetry} />
        ) : (
          <VisualizationView
            visualization={line.visualization}
            result={result}
            name={title ?? ''}
            isTable={isTable}
            actionsFor={actionsFor}
            isPicked={isPicked}
            whenEmpty={noRowsMessage(line.parameters ?? [], reportValues(widget, line, context))}
          />
        )}
        {dialogs}
      </div>
    </article>
  );
});

import { Skeleton, Stack, Text } from '@mantine/core';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import type { ReferenceContext } from '#charts/content/reference-values.ts';
import { titleOf } from '#charts/widgets/title.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import { t } from '#shared/language/messages.ts';
import { ContentFrame } from '../../dashboards/content/ContentFrame.tsx';
import { gridsOf } from '../../dashboards/history/grids-of.ts';
import { WidgetProblem } from '../../dashboards/results/WidgetProblem.tsx';
import { DashboardGrid } from '../../dashboards/view/DashboardGrid.tsx';
import { VisualizationView } from '../../visualizations/VisualizationView.tsx';
import { lineQuery } from './queries.ts';
import { StateHeading } from './StateHeading.tsx';
import classes from './States.module.css';

/** A dashboard with the results of its reports for their default values. */
export function DashboardState({
  orgId,
  name,
  description,
  widgets,
  changed,
}: {
  readonly orgId: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly widgets: readonly Widget[];
  /** The IDs of the widgets to highlight. */
  readonly changed: readonly string[];
}): ReactNode {
  const reportIds = [...new Set(widgets.map(({ reportId }) => reportId))].filter((id) => !isBuiltIn(id));
  const lines = useQueries({
    queries: reportIds.map((reportId) => lineQuery(orgId, reportId)),
    combine: (queries: readonly UseQueryResult<WidgetResult>[]) =>
      new Map(reportIds.map((reportId, index) => [reportId, queries[index]])),
  });
  const lineOf = ({ reportId }: Widget) => lines.get(reportId)?.data;
  const context: ReferenceContext = {
    widgets: widgets.map((widget) => ({
      id: widget.id,
      title: titleOf({ widget, line: lineOf(widget) }),
      line: lineOf(widget),
    })),
    filters: [],
    values: {},
    isLoading: [...lines.values()].some((line) => line?.isFetching === true),
  };
  const grids = gridsOf(widgets);
  return (
    <Stack gap="sm">
      <StateHeading name={name} description={description} />
      {grids.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('This version has no widgets.')}
        </Text>
      )}
      {grids.map(({ title, widgets: onGrid }, index) => (
        <div key={index}>
          {title !== '' && (
            <Text component="h4" size="sm" fw={600} mb={4}>
              {title}
            </Text>
          )}
          <DashboardGrid widgets={onGrid} highlighted={changed}>
            {(widget) =>
              isBuiltIn(widget.reportId) ? (
                <ContentFrame widget={widget} level={4} context={context} />
              ) : (
                <ReportWidget
                  widget={widget}
                  line={lineOf(widget)}
                  retry={() => void lines.get(widget.reportId)?.refetch()}
                />
              )
            }
          </DashboardGrid>
        </div>
      ))}
    </Stack>
  );
}

function ReportWidget({
  widget,
  line,
  retry,
}: {
  readonly widget: Widget;
  readonly line: WidgetResult | undefined;
  readonly retry: () => void;
}): ReactNode {
  const titleId = useId();
  const title = titleOf({ widget, line }) ?? (line === undefined ? t('Loading') : t('Unknown report'));
  return (
    <article className={classes['card']} aria-labelledby={titleId} aria-busy={line === undefined}>
      <h4 id={titleId} className={classes['title']} style={{ margin: 0 }} title={title}>
        {title}
      </h4>
      <div className={classes['body']}>
        {line === undefined ? (
          <Skeleton h="100%" />
        ) : line.result === undefined || line.visualization === undefined ? (
          <WidgetProblem line={line} onRetry={retry} />
        ) : (
          <VisualizationView visualization={line.visualization} result={line.result} name={title} />
        )}
      </div>
    </article>
  );
}

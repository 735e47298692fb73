import { Skeleton } from '@mantine/core';
import { IconLayoutDashboard } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { t } from '#shared/language/messages.ts';
import { isOnGrid } from '#shared/content-widgets/content-widgets.ts';
import { filtersOfWidgets, isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import type { Search } from '../../ui/browser/search.ts';
import { paths } from '../../app/paths.ts';
import { SharedTimeContext } from '../../visualizations/time/shared-time.ts';
import { useSharedTime } from '../annotations/use-shared-time.ts';
import { SharedValueColors, valueColorsOf } from '../../visualizations/echarts/shared-colors.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { DashboardActions } from './DashboardActions.tsx';
import { filtersOfLines } from '#shared/dashboard-filters/filter-list.ts';
import { isContainer, structureOf, widgetsInOrder } from '#shared/sections/structure.ts';
import { dashboardQuery } from '../queries.ts';
import { filtersOf, refreshIntervals } from './search.ts';
import classes from './DashboardToolbar.module.css';
import { LostDashboard } from './LostDashboard.tsx';
import { ImageOrganization } from '../content/image-organization.ts';
import { Comments, type OpenedComments } from '../comments/Comments.tsx';
import { WriteComment, type CommentTarget } from '../comments/target.ts';
import { EditingPeople } from '../edit/EditingPeople.tsx';
import { useSetFilters } from '../filters/use-set-filters.ts';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { LoadingStatus } from '../results/LoadingStatus.tsx';
import { NewerVersion } from '../edit/NewerVersion.tsx';
import { linesOf } from '../results/shown-widgets.ts';
import { useDashboardEvents } from '../live/use-dashboard-events.ts';
import { useDashboardResults } from '../results/use-dashboard-results.ts';
import { useEditReason } from '../../sharing/use-edit-reason.ts';
import { useCalendar } from '../filters/use-calendar.ts';
import { usePrinting } from './use-printing.ts';
import { useZoom } from './zoom/use-zoom.ts';
import { useVisit } from './use-visit.ts';
import { WidgetGrid } from './WidgetGrid.tsx';

/** Loaded only for dashboards with filters: its fields for lists, numbers and ranges are a large part of the page's code. */
const FilterBar = lazy(async () => ({
  default: (await loadChunk('FilterBar', () => import('../filters/FilterBar.tsx'))).FilterBar,
}));

/** Loaded when charts are zoomed. */
const ZoomNotice = lazy(async () => ({
  default: (await loadChunk('ZoomNotice', () => import('./zoom/ZoomNotice.tsx'))).ZoomNotice,
}));

/** Loaded only for dashboards with annotations. */
const AnnotationList = lazy(async () => ({
  default: (await loadChunk('AnnotationList', () => import('../annotations/AnnotationList.tsx')))
    .AnnotationList,
}));

/** Loaded only for dashboards with tabs or sections. */
const StructuredDashboard = lazy(async () => ({
  default: (await loadChunk('StructuredDashboard', () => import('./sections/StructuredDashboard.tsx')))
    .StructuredDashboard,
}));

/** A dashboard with the results of its reports. */
export function DashboardPage(): ReactNode {
  const { dashboardId } = useParams({ from: paths.dashboard });
  const { data } = useSuspenseQuery(dashboardQuery(dashboardId));
  const live = useDashboardEvents(dashboardId);
  useVisit(dashboardId);
  if (live.endReason !== undefined)
    return <LostDashboard dashboard={data.dashboard} endReason={live.endReason} />;
  return <OpenDashboard key={dashboardId} {...data} live={live} />;
}

function OpenDashboard({
  dashboard,
  etag,
  live,
}: {
  readonly dashboard: Dashboard;
  readonly etag: string;
  readonly live: ReturnType<typeof useDashboardEvents>;
}): ReactNode {
  const { id, name, description, widgets } = dashboard;
  const search = useSearch({ from: paths.dashboard });
  const every = search['refresh-every'];
  const values = useMemo(() => filtersOf(search), [search]);
  const everySeconds = every && refreshIntervals[every];
  const structure = useMemo(
    () => structureOf(widgets.filter((widget) => isContainer(widget) || isOnGrid(widget))),
    [widgets],
  );
  const shown = useMemo(() => widgetsInOrder(structure), [structure]);
  const reports = useMemo(() => shown.filter(({ reportId }) => !isBuiltIn(reportId)), [shown]);
  const widgetIds = useMemo(() => reports.map((widget) => widget.id), [reports]);
  const request = { dashboardId: id, version: etag, filters: values, widgetIds };
  const { results, want, refresh } = useDashboardResults(request, everySeconds);
  const setFilters = useSetFilters();
  const filterBy = useCallback((changed: Search) => void setFilters(changed), [setFilters]);
  const { filters: definitions, appliesTogether } = useMemo(() => filtersOfWidgets(widgets), [widgets]);
  const lines = useMemo(() => linesOf(reports, results), [reports, results.lines]);
  const filters = useStable(useMemo(() => filtersOfLines(lines, definitions), [lines, definitions]));
  const calendar = useCalendar(dashboard.organizationId);
  const context = useMemo(() => ({ definitions, values, calendar }), [definitions, values, calendar]);
  const [highlighted, setHighlighted] = useState<string>();
  const [comments, setComments] = useState<OpenedComments>();
  const writeComment = useCallback((target: CommentTarget) => setComments({ target }), []);
  const titleOfWidget = (widgetId: string) => {
    const widget = shown.find((one) => one.id === widgetId);
    const loaded = [...results.lines.values()].find((each) => each.widgetId === widgetId);
    return widget && (titleOf({ widget, line: loaded?.line }) ?? t('A widget'));
  };
  const retry = useCallback(() => refresh(false), [refresh]);
  const printing = usePrinting(results.loading.size > 0);
  const zoom = useZoom(search['time-zoom']);
  const sharedTime = useSharedTime(widgets, zoom);
  const isPlain = structure.sections.length === 0 && structure.tabs.length === 0;
  const open = {
    widgets: reports,
    results,
    want,
    filters,
    context,
    highlighted: filters.find((filter) => filter.name === highlighted)?.widgetIds,
    onFilter: filterBy,
    onRetry: retry,
  };

  return (
    <Page
      title={name}
      description={description}
      actions={
        <>
          <EditingPeople people={live.people} viewers={live.viewers} />
          <Comments
            dashboardId={id}
            version={live.version}
            counts={live.comments}
            opened={comments}
            structure={structure}
            titleOf={titleOfWidget}
            onChange={setComments}
          />
          <DashboardActions
            dashboard={dashboard}
            every={every}
            filters={values}
            onRefresh={() => refresh(true)}
            onPrint={printing.print}
          />
        </>
      }
    >
      <div className={classes['toolbar']}>
        {filters.length > 0 && (
          <Suspense fallback={<Skeleton h={30} w={300} />}>
            <FilterBar
              filters={filters}
              values={values}
              calendar={calendar}
              appliesTogether={appliesTogether}
              onChange={setFilters}
              onHighlight={setHighlighted}
            />
          </Suspense>
        )}
        {zoom.zoom !== undefined && (
          <Suspense>
            <ZoomNotice zoom={zoom.zoom} onReset={() => zoom.onZoom(undefined)} />
          </Suspense>
        )}
        {sharedTime.annotations.length > 0 && (
          <Suspense>
            <AnnotationList annotations={sharedTime.annotations} />
          </Suspense>
        )}
        <NewerVersion dashboardId={id} etag={etag} live={live} />
        <LoadingStatus results={results} onRetry={retry} />
      </div>
      {shown.length === 0 && isPlain && <NoWidgets dashboardId={id} />}
      <SharedValueColors value={valueColorsOf(id)}>
        <WriteComment value={writeComment}>
          <SharedTimeContext value={sharedTime}>
            <ImageOrganization value={dashboard.organizationId}>
              {isPlain ? (
                <WidgetGrid widgets={structure.widgets} open={open} />
              ) : (
                <Suspense fallback={<Skeleton h={420} />}>
                  <StructuredDashboard
                    dashboardId={id}
                    structure={structure}
                    open={open}
                    isExpanded={printing.isExpanded}
                  />
                </Suspense>
              )}
            </ImageOrganization>
          </SharedTimeContext>
        </WriteComment>
      </SharedValueColors>
    </Page>
  );
}

function NoWidgets({ dashboardId }: { readonly dashboardId: string }): ReactNode {
  const navigate = useNavigate();
  const reason = useEditReason({ kind: 'dashboard', id: dashboardId });
  return (
    <EmptyState
      icon={IconLayoutDashboard}
      title={t('This dashboard is empty')}
      action={
        <ActionButton
          variant="light"
          reason={reason}
          onClick={() => void navigate({ to: paths.dashboardEdit, params: { dashboardId } })}
        >
          {t('Add reports')}
        </ActionButton>
      }
    >
      {t('Reports that are added to it will appear here.')}
    </EmptyState>
  );
}

/** Returns the previous object as long as the value is the same, so that what depends on it isn't rendered again. */
function useStable<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  // The text identifies the value.
  return useMemo(() => value, [text]);
}

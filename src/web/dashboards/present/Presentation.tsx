import { ActionIcon, Skeleton, Text } from '@mantine/core';
import {
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconX,
} from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useId, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import type { Dashboard, Widget } from '#contract/dashboards/dashboards.ts';
import { isOnGrid } from '#shared/content-widgets/content-widgets.ts';
import { filtersOfWidgets, isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import { filtersOfLines } from '#shared/dashboard-filters/filter-list.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { t } from '#shared/language/messages.ts';
import { isContainer, structureOf, widgetsInOrder } from '#shared/sections/structure.ts';
import type { Search } from '../../ui/browser/search.ts';
import { Logo } from '../../ui/Logo.tsx';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { SharedValueColors, valueColorsOf } from '../../visualizations/echarts/shared-colors.ts';
import { ImageOrganization } from '../content/image-organization.ts';
import type { ReadResults } from '../results/loader.ts';
import { linesOf, showWidget } from '../results/shown-widgets.ts';
import { useDashboardResults } from '../results/use-dashboard-results.ts';
import { DashboardGrid } from '../view/DashboardGrid.tsx';
import type { OpenDashboard } from '../view/open-dashboard.ts';
import { PresentedWidget } from './PresentedWidget.tsx';
import classes from './Presentation.module.css';
import { slidesOf } from './slides.ts';
import { useIsIdle } from './use-is-idle.ts';
import { useSlideShow, type SlideShow } from './use-slide-show.ts';
import { useWakeLock } from './use-wake-lock.ts';

const ContentWidget = lazy(async () => ({
  default: (await loadChunk('ContentWidget', () => import('../content/ContentWidget.tsx'))).ContentWidget,
}));

/** How often the results of the slide that is shown are requested again, in seconds. */
const refreshEverySeconds = 60;

/** A dashboard on the whole page, one grid after the other. Without `onEnd`, it can't be ended. */
export function Presentation({
  dashboard,
  etag,
  values,
  calendar,
  logoId,
  everySeconds,
  onEnd,
  readResults,
}: {
  readonly dashboard: Pick<Dashboard, 'id' | 'name' | 'widgets' | 'organizationId'>;
  /** Changes when the results have to be requested again at once. */
  readonly etag: string;
  /** The values of the filters. */
  readonly values: Search;
  readonly calendar: Omit<Calendar, 'now'>;
  /** Of the logo of its organization. */
  readonly logoId: string | undefined;
  /** How long each slide is shown. */
  readonly everySeconds: number;
  readonly onEnd?: () => void;
  /** How results are requested, if not with a session. */
  readonly readResults?: ReadResults;
}): ReactNode {
  const { id, name, widgets, organizationId } = dashboard;
  const structure = useMemo(
    () => structureOf(widgets.filter((widget) => isContainer(widget) || isOnGrid(widget))),
    [widgets],
  );
  const slides = useMemo(() => slidesOf(structure), [structure]);
  const reports = useMemo(
    () => widgetsInOrder(structure).filter(({ reportId }) => !isBuiltIn(reportId)),
    [structure],
  );
  const widgetIds = useMemo(() => reports.map((widget) => widget.id), [reports]);
  const { results, want, refresh } = useDashboardResults(
    { dashboardId: id, version: etag, filters: values, widgetIds },
    refreshEverySeconds,
    readResults,
  );
  const show = useSlideShow(slides.length, everySeconds);
  const slide = slides[show.index];
  const isIdle = useIsIdle();
  useWakeLock();
  useKeys(show, onEnd);
  const { filters: definitions } = useMemo(() => filtersOfWidgets(widgets), [widgets]);
  const context = useMemo(() => ({ definitions, values, calendar }), [definitions, values, calendar]);
  const filters = useMemo(
    () => filtersOfLines(linesOf(reports, results), definitions),
    [reports, results.lines, definitions],
  );
  const open: OpenDashboard = {
    widgets: reports,
    results,
    want,
    filters,
    context,
    highlighted: undefined,
    onFilter: () => {},
    onRetry: () => refresh(false),
  };
  return (
    <main className={classes['page']} data-idle={isIdle || undefined}>
      <header className={classes['head']}>
        <Logo logoId={logoId} height={40} />
        <h1 className={classes['title']}>{[name, ...(slide?.titles ?? [])].join(' · ')}</h1>
        {slides.length > 1 && (
          <Text c="dimmed" role="status">
            {t('{number} of {count}', { number: show.index + 1, count: slides.length })}
          </Text>
        )}
      </header>
      {slide === undefined ? (
        <Text>{t('This dashboard is empty.')}</Text>
      ) : (
        <SharedValueColors value={valueColorsOf(id)}>
          <ImageOrganization value={organizationId}>
            <section key={slide.key} className={classes['slide']} aria-label={slide.titles.at(-1) ?? name}>
              <Widgets widgets={slide.widgets} open={open} />
            </section>
          </ImageOrganization>
        </SharedValueColors>
      )}
      <Controls show={show} hasSlides={slides.length > 1} isHidden={isIdle} onEnd={onEnd} />
    </main>
  );
}

function Widgets({
  widgets,
  open,
}: {
  readonly widgets: readonly Widget[];
  readonly open: OpenDashboard;
}): ReactNode {
  const { want, results, context, onRetry } = open;
  const id = useId();
  const wanted = useMemo(
    () =>
      widgets
        .filter(({ reportId }) => !isBuiltIn(reportId))
        .map((widget) => ({ slot: widget.id, widgetId: widget.id, filters: {} })),
    [widgets],
  );
  useLayoutEffect(() => {
    want(id, wanted);
    return () => want(id, undefined);
  }, [want, id, wanted]);
  return (
    <DashboardGrid widgets={widgets}>
      {(widget) =>
        isBuiltIn(widget.reportId) ? (
          <Suspense fallback={<Skeleton h="100%" />}>
            <ContentWidget widget={widget} level={2} open={open} beside={wanted} values={context.values} />
          </Suspense>
        ) : (
          <PresentedWidget {...showWidget(widget, widget.id, results)} context={context} onRetry={onRetry} />
        )
      }
    </DashboardGrid>
  );
}

/** Buttons for what the keys do. They disappear while nobody moves the pointer or has the focus on them. */
function Controls({
  show,
  hasSlides,
  isHidden,
  onEnd,
}: {
  readonly show: SlideShow;
  readonly hasSlides: boolean;
  readonly isHidden: boolean;
  readonly onEnd: (() => void) | undefined;
}): ReactNode {
  const icon = { variant: 'subtle', color: 'gray', size: 36 } as const;
  if (!hasSlides && onEnd === undefined) return null;
  return (
    <div
      role="toolbar"
      aria-label={t('Presentation')}
      className={classes['controls']}
      data-hidden={isHidden || undefined}
    >
      {hasSlides && (
        <>
          <ActionIcon {...icon} aria-label={t('Previous')} onClick={() => show.move(-1)}>
            <IconPlayerSkipBack size={18} />
          </ActionIcon>
          <ActionIcon
            {...icon}
            aria-label={show.isPaused ? t('Continue') : t('Pause')}
            onClick={show.togglePause}
          >
            {show.isPaused ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />}
          </ActionIcon>
          <ActionIcon {...icon} aria-label={t('Next')} onClick={() => show.move(1)}>
            <IconPlayerSkipForward size={18} />
          </ActionIcon>
        </>
      )}
      {onEnd !== undefined && (
        <ActionIcon {...icon} aria-label={t('End the presentation')} onClick={onEnd}>
          <IconX size={18} />
        </ActionIcon>
      )}
    </div>
  );
}

/** The arrow keys show other slides, Space pauses, and Escape or leaving the full screen ends the presentation. */
function useKeys({ move, togglePause }: SlideShow, onEnd: (() => void) | undefined): void {
  const [isFull, setIsFull] = useState(() => document.fullscreenElement !== null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Space presses the button that has the focus.
      if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
      const action = {
        ArrowRight: () => move(1),
        ArrowLeft: () => move(-1),
        ' ': togglePause,
        Escape: onEnd,
      }[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    // While the screen is full, the browser takes Escape for itself.
    const onFullScreen = () => {
      setIsFull(document.fullscreenElement !== null);
      if (isFull && document.fullscreenElement === null) onEnd?.();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('fullscreenchange', onFullScreen);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('fullscreenchange', onFullScreen);
    };
  }, [move, togglePause, onEnd, isFull]);
}

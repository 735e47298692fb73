import { useComputedColorScheme } from '@mantine/core';
import { use } from 'echarts/core';
import {
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ViewProps } from '../kind.ts';
import { summarize } from '#charts/summary.ts';
import classes from '../VisualizationView.module.css';
import type { ChartKind } from '#charts/drawing/chart.ts';
import { ChartLegend } from './ChartLegend.tsx';
import { withEmphasis } from '#charts/drawing/emphasis.ts';
import { ChartMarks } from './ChartMarks.tsx';
import { openChartCanvas, type CanvasClick, type ChartCanvas } from './canvas.ts';
import { findNearest, seriesOf } from '#charts/drawing/parts.ts';
import { tooltipOption } from './tooltip.ts';
import { ZoomButtons } from './ZoomButtons.tsx';
import { withPatterns } from '#charts/drawing/patterns.ts';
import { chartTheme } from '#charts/drawing/palette.ts';
import { createValueColors } from '#charts/drawing/value-colors.ts';
import { withAnnotations } from '#charts/time/annotations.ts';
import { zoomed } from '#charts/time/zoom.ts';
import { useDragToZoom } from '../time/use-drag-to-zoom.ts';
import { useSharedPointer } from '../time/use-shared-pointer.ts';
import { SharedTimeContext } from '../time/shared-time.ts';
import { useHasPatterns } from './pattern-choice.ts';
import { SharedValueColors } from './shared-colors.ts';

/** Adds the parts of ECharts that a kind of chart uses. */
export const addParts = ({ parts }: ChartKind): void => use([...parts]);

/** A chart on a canvas, which fills its container. */
export function ChartView({
  kind,
  visualization,
  result,
  name,
  choose,
  stateOf,
}: ViewProps<Visualization> & { readonly kind: ChartKind }): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<ChartCanvas>(undefined);
  const isDark = useComputedColorScheme('light') === 'dark';
  const [ownColors] = useState(createValueColors);
  const colors = useContext(SharedValueColors) ?? ownColors;
  const colorsVersion = useSyncExternalStore(colors.subscribe, colors.version);
  const hasPatterns = useHasPatterns();
  const { annotations, zoom } = useContext(SharedTimeContext);
  const plain = useMemo(
    () => kind.toChart(visualization, result, chartTheme(isDark), colors),
    // The colors are read again after they change.
    [kind, visualization, result, isDark, colors, colorsVersion],
  );
  const chart = useMemo(() => {
    const theme = chartTheme(isDark);
    const noted = withAnnotations(zoomed(plain, zoom), annotations, theme);
    return hasPatterns ? withPatterns(noted, theme) : noted;
  }, [plain, zoom, annotations, isDark, hasPatterns]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) =>
    setHidden((before) =>
      before.has(name) ? new Set([...before].filter((each) => each !== name)) : new Set([...before, name]),
    );
  // A ref, because the handler changes more often than the chart has to be recreated.
  const click = useRef((_click: CanvasClick): void => {});

  useEffect(() => {
    click.current = ({ x, y, part, event }) => {
      const toPixel: ChartCanvas['positionOf'] = (...at) => canvas.current?.positionOf(...at);
      const mark = part
        ? chart.markAt(part.seriesIndex, part.dataIndex)
        : findNearest(chart, (name) => hidden.has(name), toPixel, { x, y })?.mark;
      if (mark === undefined || choose === undefined) return;
      // After a tap, the browser sends the events of a mouse, too, which would close the menu.
      if (event.type === 'touchend') event.preventDefault();
      const { left = 0, top = 0 } = element.current?.getBoundingClientRect() ?? {};
      const isAdding = event.ctrlKey || event.metaKey || event.shiftKey;
      choose(mark, { x: left + x, y: top + y, isAdding });
    };
  }, [chart, hidden, choose]);

  useEffect(() => {
    if (element.current === null) return undefined;
    const opened = openChartCanvas(element.current, (event) => click.current(event));
    canvas.current = opened;
    return () => opened.dispose();
  }, []);

  useSharedPointer(element, canvas, chart.time);
  useDragToZoom(element, canvas, chart.time);

  useEffect(() => {
    const option = withEmphasis(chart, stateOf);
    const cursor = choose === undefined ? 'default' : 'pointer';
    canvas.current?.show({
      ...option,
      ...(chart.tooltip && { tooltip: tooltipOption(chartTheme(isDark), chart.tooltip) }),
      series: seriesOf({ option }).map((one) => ({ ...one, cursor })),
      // ECharts hides the items that aren't selected, although the page itself shows the legend.
      legend: { show: false, selected: Object.fromEntries([...hidden].map((name) => [name, false])) },
    });
  }, [chart, isDark, choose === undefined, hidden, stateOf]);

  return (
    <>
      <div className={classes['chart']}>
        <div className={classes['parts']} data-beside={chart.legend?.isBeside || undefined}>
          {chart.legend !== undefined && (
            <ChartLegend
              items={chart.legend.items}
              isBeside={chart.legend.isBeside === true}
              isStatic={chart.legend.isStatic === true}
              hidden={hidden}
              onToggle={toggle}
            />
          )}
          <div
            ref={element}
            role="img"
            aria-label={[summarize(name, visualization, result), ...(chart.descriptions ?? [])].join(' ')}
            className={classes['canvas']}
          />
          {chart.canZoom === true && <ZoomButtons onZoom={(factor) => canvas.current?.zoom(factor)} />}
          {choose !== undefined && (
            <ChartMarks
              name={name}
              chart={chart}
              result={result}
              canvas={canvas}
              element={element}
              choose={choose}
              stateOf={stateOf}
            />
          )}
        </div>
      </div>
      {chart.notes.map((note) => (
        <div key={note} className={classes['note']}>
          {note}
        </div>
      ))}
    </>
  );
}

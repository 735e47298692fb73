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
import { byKind, type ViewProps } from '../kind.ts';
import { summarize } from '../summary.ts';
import classes from '../VisualizationView.module.css';
import type { ChartKind } from './chart.ts';
import { emptyChart } from './frame-option.ts';
import { ChartLegend } from './ChartLegend.tsx';
import { withEmphasis } from './emphasis.ts';
import { ChartMarks } from './ChartMarks.tsx';
import { openChartCanvas, type CanvasClick, type ChartCanvas } from './charts.ts';
import { findNearest, seriesOf } from './parts.ts';
import { chartTheme } from './palette.ts';
import { createValueColors, SharedValueColors } from './value-colors.ts';

const charts = byKind(import.meta.glob<ChartKind>('../*/echarts.ts', { eager: true, import: 'default' }));
use([...charts.values()].flatMap(({ parts }) => parts));

/** A chart on a canvas, which fills its container. It is loaded with the code of all charts when the first one is shown. */
export default function ChartView({
  visualization,
  result,
  name,
  choose,
  stateOf,
}: ViewProps<Visualization>): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<ChartCanvas>(undefined);
  const isDark = useComputedColorScheme('light') === 'dark';
  const [ownColors] = useState(createValueColors);
  const colors = useContext(SharedValueColors) ?? ownColors;
  const colorsVersion = useSyncExternalStore(colors.subscribe, colors.version);
  const chart = useMemo(
    () =>
      charts.get(visualization.kind)?.toChart(visualization, result, chartTheme(isDark), colors) ??
      emptyChart,
    // The colors are read again after they change.
    [visualization, result, isDark, colors, colorsVersion],
  );
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

  useEffect(() => {
    const option = withEmphasis(chart, stateOf);
    const cursor = choose === undefined ? 'default' : 'pointer';
    canvas.current?.show({
      ...option,
      series: seriesOf({ option }).map((one) => ({ ...one, cursor })),
      // ECharts hides the items that aren't selected, although the page itself shows the legend.
      legend: { show: false, selected: Object.fromEntries([...hidden].map((name) => [name, false])) },
    });
  }, [chart, choose === undefined, hidden, stateOf]);

  return (
    <>
      <div className={classes['chart']}>
        <div className={classes['parts']} data-beside={chart.legend?.isBeside || undefined}>
          {chart.legend !== undefined && (
            <ChartLegend
              items={chart.legend.items}
              isBeside={chart.legend.isBeside === true}
              hidden={hidden}
              onToggle={toggle}
            />
          )}
          <div
            ref={element}
            role="img"
            aria-label={summarize(name, visualization, result)}
            className={classes['canvas']}
          />
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

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
import { openChartCanvas, type ChartCanvas } from './charts.ts';
import { chartTheme } from './palette.ts';
import { createValueColors, SharedValueColors } from './value-colors.ts';

const charts = byKind(import.meta.glob<ChartKind>('../*/echarts.ts', { eager: true, import: 'default' }));
use([...charts.values()].flatMap(({ parts }) => parts));

/** A chart on a canvas, which fills its container. It is loaded with the code of all charts when the first one is shown. */
export default function ChartView({
  visualization,
  result,
  name,
  pickable,
  onPick,
  isPicked,
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
  const isPickable = onPick !== undefined && chart.fields.some((field) => pickable.has(field));
  // A ref, because the handler changes more often than the chart has to be recreated.
  const click = useRef((_seriesIndex: number, _dataIndex: number): void => {});

  useEffect(() => {
    click.current = (seriesIndex, dataIndex) => {
      const picked = chart.pickedAt(seriesIndex, dataIndex).filter(({ field }) => pickable.has(field));
      if (picked.length > 0) onPick?.(picked);
    };
  }, [chart, pickable, onPick]);

  useEffect(() => {
    if (element.current === null) return undefined;
    const opened = openChartCanvas(element.current, (...part) => click.current(...part));
    canvas.current = opened;
    return () => opened.dispose();
  }, []);

  useEffect(() => {
    const { series } = withEmphasis(chart, isPicked);
    const cursor = isPickable ? 'pointer' : 'default';
    canvas.current?.show({
      ...chart.option,
      series: [series ?? []].flat().map((one) => ({ ...one, cursor })),
      // ECharts hides the items that aren't selected, although the page itself shows the legend.
      legend: { show: false, selected: Object.fromEntries([...hidden].map((name) => [name, false])) },
    });
  }, [chart, isPickable, hidden, isPicked]);

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

import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { ReportResult } from '#contract/reports/reports.ts';
import type { ChartVisualization, Picked } from './chart.ts';
import { openChartPlace, type ChartPlace } from './charts.ts';
import { toChart } from './option.ts';
import classes from '../Visualization.module.css';
import { drawingTheme } from './palette.ts';

/** A chart on a canvas, which follows the size of its place. Loaded when the first one is drawn. */
export default function ChartDrawing({
  visualization,
  result,
  label,
  pickable,
  onPick,
}: {
  readonly visualization: ChartVisualization;
  readonly result: ReportResult;
  /** What the chart shows, for whoever does not see it. */
  readonly label: string;
  readonly pickable: ReadonlySet<string>;
  readonly onPick: ((picked: readonly Picked[]) => void) | undefined;
}): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const place = useRef<ChartPlace>(undefined);
  const isDark = useComputedColorScheme('light') === 'dark';
  const chart = useMemo(
    () => toChart(visualization, result, drawingTheme(isDark)),
    [visualization, result, isDark],
  );
  const isPickable = onPick !== undefined && chart.fields.some((field) => pickable.has(field));
  // What a click means changes more often than there is a reason to open the place anew.
  const click = useRef((_seriesIndex: number, _dataIndex: number): void => {});

  useEffect(() => {
    click.current = (seriesIndex, dataIndex) => {
      const picked = chart.pickedAt(seriesIndex, dataIndex).filter(({ field }) => pickable.has(field));
      if (picked.length > 0) onPick?.(picked);
    };
  }, [chart, pickable, onPick]);

  useEffect(() => {
    if (element.current === null) return undefined;
    const opened = openChartPlace(element.current, (...part) => click.current(...part));
    place.current = opened;
    return () => opened.dispose();
  }, []);

  useEffect(() => {
    const { series } = chart.option;
    const cursor = isPickable ? 'pointer' : 'default';
    place.current?.show({
      ...chart.option,
      series: [series ?? []].flat().map((one) => ({ ...one, cursor })),
    });
  }, [chart, isPickable]);

  return (
    <>
      <div ref={element} role="img" aria-label={label} className={classes['canvas']} />
      {chart.notes.map((note) => (
        <div key={note} className={classes['note']}>
          {note}
        </div>
      ))}
    </>
  );
}

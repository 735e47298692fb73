import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { ReportResult } from '#contract/reports.ts';
import type { ChartVisualization, Picked } from './chart.ts';
import { openCanvas } from './charts.ts';
import { toChart } from './chart-option.ts';
import classes from './Drawing.module.css';
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
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<ReturnType<typeof openCanvas>>(undefined);
  const isDark = useComputedColorScheme('light') === 'dark';
  const chart = useMemo(
    () => toChart(visualization, result, drawingTheme(isDark)),
    [visualization, result, isDark],
  );
  const isPickable = chart.fields.some((field) => pickable.has(field));

  useEffect(() => {
    if (place.current === null) return undefined;
    const opened = openCanvas(place.current);
    canvas.current = opened;
    const observer = new ResizeObserver(() => opened.resize());
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      opened.dispose();
      canvas.current = undefined;
    };
  }, []);

  useEffect(() => {
    const { series } = chart.option;
    const cursor = isPickable ? 'pointer' : 'default';
    canvas.current?.setOption(
      { ...chart.option, series: [series ?? []].flat().map((one) => ({ ...one, cursor })) },
      { notMerge: true },
    );
  }, [chart, isPickable]);

  useEffect(() => {
    const opened = canvas.current;
    if (opened === undefined || onPick === undefined) return undefined;
    const pick = ({ componentType, seriesIndex, dataIndex }: ClickedPart) => {
      if (componentType !== 'series' || seriesIndex === undefined || dataIndex === undefined) return;
      const picked = chart.pickedAt(seriesIndex, dataIndex).filter(({ field }) => pickable.has(field));
      if (picked.length > 0) onPick(picked);
    };
    opened.on('click', pick);
    return () => {
      opened.off('click', pick);
    };
  }, [chart, pickable, onPick]);

  return (
    <>
      <div ref={place} role="img" aria-label={label} className={classes['canvas']} />
      {chart.notes.map((note) => (
        <div key={note} className={classes['note']}>
          {note}
        </div>
      ))}
    </>
  );
}

interface ClickedPart {
  readonly componentType?: string;
  readonly seriesIndex?: number;
  readonly dataIndex?: number;
}

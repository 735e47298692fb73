import type { EChartsOption } from 'echarts';
import type { Visualization } from '#contract/reports/visualizations.ts';

/** What a person picks out of a drawing: a value of a column. */
export interface Picked {
  readonly field: string;
  readonly value: unknown;
}

/** A chart as ECharts takes it, and what its parts stand for. */
export interface Chart {
  readonly option: EChartsOption;
  /** The columns whose values can be picked by a click. */
  readonly fields: readonly string[];
  /** Returns what a click on a part of the chart picks. */
  readonly pickedAt: (seriesIndex: number, dataIndex: number) => readonly Picked[];
  /** What a reader should know of what is not shown. */
  readonly notes: readonly string[];
}

type KindOf<Kind extends Visualization['kind']> = Extract<Visualization, { kind: Kind }>;

export type CartesianVisualization = KindOf<'bar' | 'line' | 'area'>;
export type ScatterVisualization = KindOf<'scatter'>;
export type PieVisualization = KindOf<'pie'>;
export type HeatMapVisualization = KindOf<'heatMap'>;
export type HistogramVisualization = KindOf<'histogram'>;

/** A visualization that is drawn as a chart. */
export type ChartVisualization =
  | CartesianVisualization
  | ScatterVisualization
  | PieVisualization
  | HeatMapVisualization
  | HistogramVisualization;

export type Axis = NonNullable<CartesianVisualization['xAxis']>;
export type Threshold = NonNullable<CartesianVisualization['thresholds']>[number];

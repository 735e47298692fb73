import type { EChartsOption } from 'echarts';
import type { use } from 'echarts/core';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { KindName, OfKind } from '../kind.ts';
import type { Mark } from '../marks/mark.ts';
import type { ResultRows } from '../values/result-values.ts';
import type { ChartTheme } from './palette.ts';
import type { ValueColors } from './value-colors.ts';

/** A series or a slice of a chart in its legend. */
export interface LegendItem {
  readonly name: string;
  readonly color: string;
  /** The number of its pattern, if colors have patterns. */
  readonly pattern?: number;
  /** Its share of a pie. */
  readonly value?: string;
}

/** The content of a tooltip: a heading, and values with their labels. */
export interface TooltipContent {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly value: string; readonly color?: string }[];
}

/** The tooltip of the part under the pointer, or of all parts at the same place of the axis. */
export interface Tooltip {
  readonly trigger: 'axis' | 'item';
  /** Returns the content for the parts that are pointed at; undefined for none. */
  readonly contentOf: (
    parts: readonly { readonly seriesIndex: number; readonly dataIndex: number }[],
  ) => TooltipContent | undefined;
}

/** The axis of a chart over time. */
export interface TimeAxis {
  readonly name: 'xAxis' | 'yAxis';
  /** Whether its times have no zone; the others are shown in the zone of the reader. */
  readonly isUtc: boolean;
  /** The positions that are shown, if only a range is. */
  readonly range?: readonly [from: number, to: number];
}

/** The ECharts options of a chart, and the marks that its parts are. */
export interface Chart {
  readonly option: EChartsOption;
  /** Returns the mark of a part of the chart; undefined if it stands for no row. */
  readonly markAt: (seriesIndex: number, dataIndex: number) => Mark | undefined;
  /** Returns the indexes of the parts of a series, if they aren't those of its data, as in a tree. */
  readonly indexesOf?: (seriesIndex: number) => readonly number[];
  readonly tooltip?: Tooltip;
  /** The legend; undefined if the chart has none. */
  readonly legend?: {
    readonly items: readonly LegendItem[];
    /** Whether it is beside the chart if that is wide enough, instead of above it. */
    readonly isBeside?: boolean;
    /** Whether its items only explain the colors, so that none can be hidden. */
    readonly isStatic?: boolean;
  };
  /** The axis of a chart over time; undefined if it has none, or as categories. */
  readonly time?: TimeAxis;
  /** The times of a chart whose parts last for some time, such as the bars of a Gantt chart; undefined for all others. */
  readonly spans?: {
    readonly isUtc: boolean;
    /** Where its x-axis starts and ends. */
    readonly range: readonly [from: number, to: number];
    /** Returns when a part starts and ends. */
    readonly spanOf: (dataIndex: number) => readonly [start: number, end: number] | undefined;
  };
  /** Sentences about lines and notes in the chart, for people who use a screen reader. */
  readonly descriptions?: readonly string[];
  /** Whether it can be enlarged, and moved then. */
  readonly canZoom?: boolean;
  /** Messages about values that aren't shown. */
  readonly notes: readonly string[];
}

/** Returns the chart of a result. Missing columns are left out. */
export type ToChart<Shown extends Visualization> = (
  visualization: Shown,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
) => Chart;

export type Axis = NonNullable<OfKind<'bar'>['xAxis']>;
export type Threshold = NonNullable<OfKind<'bar'>['thresholds']>[number];

type EChartsPart = Extract<Parameters<typeof use>[0], readonly unknown[]>[number];

/** A kind of chart, with the parts of ECharts that it uses in addition to those that all charts use. */
export interface ChartKind {
  readonly kind: KindName;
  readonly parts: readonly EChartsPart[];
  readonly toChart: ToChart<Visualization>;
}

export const defineChart = <Name extends KindName>(
  kind: Name,
  parts: readonly EChartsPart[],
  toChart: ToChart<OfKind<Name>>,
): ChartKind => ({
  kind,
  parts,
  // Sound because it is only called with visualizations of its kind.
  toChart: toChart as ToChart<Visualization>,
});

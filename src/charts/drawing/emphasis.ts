import type { EChartsOption, SeriesOption } from 'echarts';
import type { StateOf } from '../marks/mark.ts';
import type { Chart } from './chart.ts';
import { dataOf, seriesOf } from './parts.ts';

/** The opacity of the parts of a chart that aren't emphasized. */
const faint = 0.3;

/** ECharts renders a larger series at once, so that its points can't differ. */
const maxPoints = 2_000;

/**
 * Returns the option of a chart in which the parts that weren't selected are faint. If none of its parts is selected, such as
 * after a filter was set in another widget to a value that this one doesn't have, they all look the same.
 */
export function withEmphasis(chart: Chart, stateOf: StateOf | undefined): EChartsOption {
  const { option, markAt } = chart;
  // The data of a tree isn't a list of its parts.
  if (stateOf === undefined || chart.indexesOf !== undefined) return option;
  const series = seriesOf(chart);
  if (series.reduce((sum, one) => sum + dataOf(one).length, 0) > maxPoints) return option;
  const states = series.map((one, seriesIndex) =>
    dataOf(one).map((_, dataIndex) => {
      const mark = markAt(seriesIndex, dataIndex);
      return mark && stateOf(mark);
    }),
  );
  if (!states.flat().includes(true)) return option;
  const isFaint = (state: boolean | undefined) => state === false;
  return {
    ...option,
    series: series.map((one, index): SeriesOption => {
      const of = states[index] ?? [];
      if (one.type === 'line') {
        if (of.every(isFaint)) return faintLine(one);
        return of.every(Boolean) ? one : { ...one, showSymbol: true, data: emphasizedPoints(one, of) };
      }
      const fade = one.type === 'custom' ? faintColor : faintPoint;
      // Sound because only the style of the points changes.
      return {
        ...one,
        data: dataOf(one).map((point, at) => (isFaint(of[at]) ? fade(point) : point)),
      } as SeriesOption;
    }),
  };
}

type LineOption = Extract<SeriesOption, { type?: 'line' }>;

const faintLine = (line: LineOption): SeriesOption => ({
  ...line,
  lineStyle: { ...line.lineStyle, opacity: faint },
  itemStyle: { ...line.itemStyle, opacity: faint },
  ...(line.areaStyle && { areaStyle: { ...line.areaStyle, opacity: 0.1 } }),
});

/** The selected points of a line have a symbol, and its others have none. */
const emphasizedPoints = (
  line: LineOption,
  states: readonly (boolean | undefined)[],
): NonNullable<LineOption['data']> =>
  dataOf(line).map((point, at) => {
    const symbol = states[at] === true ? 'circle' : 'none';
    return { value: [], ...itemOf(point), symbol, symbolSize: 10 };
  });

const itemOf = (point: unknown): object =>
  typeof point === 'object' && point !== null && !Array.isArray(point) ? point : { value: point };

function faintPoint(point: unknown): object {
  const item = itemOf(point);
  const style = 'itemStyle' in item ? item.itemStyle : {};
  return { ...item, itemStyle: { ...(style as object), opacity: faint } };
}

/** A custom series draws its points itself, by their color. */
function faintColor(point: unknown): object {
  const item = itemOf(point);
  const style = 'itemStyle' in item ? (item.itemStyle as { readonly color?: unknown }) : {};
  return { ...item, itemStyle: { ...style, color: `${String(style.color)}${faintAlpha}` } };
}

/** The opacity of faint parts as two digits of a color. */
const faintAlpha = Math.round(faint * 255).toString(16);

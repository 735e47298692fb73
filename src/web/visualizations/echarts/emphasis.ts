import type { EChartsOption, SeriesOption } from 'echarts';
import type { IsPicked } from '../kind.ts';
import type { Chart } from './chart.ts';

/** The opacity of the parts of a chart that aren't picked. */
const faint = 0.3;

/** ECharts renders a larger series at once, so that its points can't differ. */
const maxPoints = 2_000;

/**
 * Returns the option of a chart in which the parts that weren't picked are faint. If none of its parts is picked, such as after a
 * filter was set in another widget to a value that this one doesn't have, they all look the same.
 */
export function withEmphasis(chart: Chart, isPicked: IsPicked | undefined): EChartsOption {
  const { option, fields, pickedAt } = chart;
  if (isPicked === undefined || fields.length === 0) return option;
  const series = [option.series ?? []].flat();
  if (series.reduce((sum, one) => sum + dataOf(one).length, 0) > maxPoints) return option;
  const states = series.map((one, seriesIndex) =>
    dataOf(one).map((_, dataIndex) => {
      const known = pickedAt(seriesIndex, dataIndex).flatMap(
        ({ field, value }) => isPicked(field, value) ?? [],
      );
      return known.length === 0 ? undefined : known.every(Boolean);
    }),
  );
  if (!states.flat().includes(true)) return option;
  const isFaint = (state: boolean | undefined) => state === false;
  return {
    ...option,
    series: series.map((one, index): SeriesOption => {
      const of = states[index] ?? [];
      if (one.type === 'line') return of.every(isFaint) ? faintLine(one) : one;
      // Sound because only the style of the points changes.
      return {
        ...one,
        data: dataOf(one).map((point, at) => (isFaint(of[at]) ? faintPoint(point) : point)),
      } as SeriesOption;
    }),
  };
}

const dataOf = ({ data }: SeriesOption): readonly unknown[] =>
  Array.isArray(data) ? (data as unknown[]) : [];

const faintLine = (line: Extract<SeriesOption, { type?: 'line' }>): SeriesOption => ({
  ...line,
  lineStyle: { ...line.lineStyle, opacity: faint },
  itemStyle: { ...line.itemStyle, opacity: faint },
  ...(line.areaStyle && { areaStyle: { ...line.areaStyle, opacity: 0.1 } }),
});

function faintPoint(point: unknown): object {
  const item =
    typeof point === 'object' && point !== null && !Array.isArray(point) ? point : { value: point };
  const style = 'itemStyle' in item ? item.itemStyle : {};
  return { ...item, itemStyle: { ...(style as object), opacity: faint } };
}

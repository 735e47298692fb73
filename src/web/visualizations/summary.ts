import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ChartVisualization } from './echarts/chart.ts';
import { createFormatter, type ValueFormat } from './values/formats.ts';
import { findColumn, toNumber, type DrawnRows } from './values/result-values.ts';

const kindWords: Readonly<Record<Visualization['kind'], string>> = {
  table: 'Table',
  number: 'Number',
  bar: 'Bar chart',
  line: 'Line chart',
  area: 'Area chart',
  scatter: 'Scatter chart',
  pie: 'Pie chart',
  heatMap: 'Heat map',
  histogram: 'Histogram',
  text: 'Text',
};

/** Returns what a chart shows in a sentence or two, for whoever does not see it: the kind, the columns, and the range. */
export function summarize(name: string, visualization: ChartVisualization, result: DrawnRows): string {
  const kind = kindWords[visualization.kind];
  const measures = measuresOf(visualization);
  const along = alongOf(visualization);
  const fields = measures.map(({ label }) => label).join(', ');
  const head = `${kind} “${name}”: ${fields}${along === undefined ? '' : ` by ${along}`}.`;
  const ranges = measures.flatMap(({ field, label, format }) => {
    const range = rangeOf(result, field, format);
    return range === undefined ? [] : [`${label} from ${range}.`];
  });
  const { length } = result.rows;
  return [head, ...ranges, `${length === 1 ? '1 row' : `${length} rows`}.`].join(' ');
}

interface Measure {
  readonly field: string;
  readonly label: string;
  readonly format?: ValueFormat | undefined;
}

function measuresOf(visualization: ChartVisualization): readonly Measure[] {
  switch (visualization.kind) {
    case 'bar':
    case 'line':
    case 'area':
      return visualization.series.map(({ field, label = field, format }) => ({ field, label, format }));
    case 'scatter':
      return [{ field: visualization.y, label: visualization.y }];
    case 'pie':
    case 'heatMap':
      return [{ field: visualization.value, label: visualization.value, format: visualization.format }];
    case 'histogram':
      return [{ field: visualization.value, label: visualization.value }];
  }
}

function alongOf(visualization: ChartVisualization): string | undefined {
  switch (visualization.kind) {
    case 'bar':
    case 'line':
    case 'area':
      return [visualization.x, visualization.splitBy].filter((field) => field !== undefined).join(' and ');
    case 'scatter':
      return visualization.x;
    case 'pie':
      return visualization.category;
    case 'heatMap':
      return `${visualization.x} and ${visualization.y}`;
    case 'histogram':
      return undefined;
  }
}

function rangeOf(result: DrawnRows, field: string, format: ValueFormat | undefined): string | undefined {
  const column = findColumn(result, field);
  if (column === undefined) return undefined;
  let min = Infinity;
  let max = -Infinity;
  for (const row of result.rows) {
    const value = toNumber(row[column.index]);
    if (value === undefined) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const write = createFormatter(column, format);
  return min > max ? undefined : `${write(min)} to ${write(max)}`;
}

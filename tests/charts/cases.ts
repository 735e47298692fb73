import type { Visualization } from '#contract/reports/visualizations.ts';
import type { KindName } from '#charts/kind.ts';

/** A row of a data set, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** A visualization of the data sets, and what its picture has to show. */
interface Case {
  readonly visualization: Visualization;
  /**
   * Returns how many points, bars, slices or cells each series has. It doesn't use the code of the charts, so that it finds
   * their mistakes.
   */
  readonly parts: (rows: readonly Row[]) => readonly number[];
  /** With more points, ECharts draws a series at once, and they can't be counted. */
  readonly maxCounted?: number;
}

const isNumber = (value: unknown): boolean => value !== null && Number.isFinite(Number(value));
const having = (rows: readonly Row[], ...names: readonly string[]): number =>
  rows.filter((row) => names.every((name) => row[name] !== null)).length;

/** The areas of the map without Antarctica. */
const areasOfWorld = 176;

/** The points of a measure by day. */
const byDay = (rows: readonly Row[], measure: string): number => having(rows, 'day', measure);

/** One case or several for each kind that ECharts draws. */
export const cases: Readonly<Partial<Record<KindName, readonly Case[]>>> = {
  bar: [
    {
      visualization: {
        kind: 'bar',
        x: 'city',
        series: [{ field: 'amount' }],
        isHorizontal: true,
        dataLabels: 'all',
        referenceLines: [{ value: -20, to: { statistic: 'median' }, color: '3' }],
      },
      parts: (rows) => (rows.length === 0 ? [] : [having(rows, 'amount'), 1]),
      maxCounted: 2_000,
    },
    {
      visualization: { kind: 'bar', x: 'day', series: [{ field: 'amount' }] },
      parts: (rows) => [byDay(rows, 'amount')],
      maxCounted: 2_000,
    },
    {
      visualization: {
        kind: 'bar',
        x: 'city',
        series: [{ field: 'amount' }, { field: 'count' }],
        stacking: 'percent',
      },
      // A category that has no value has a part of size zero.
      parts: (rows) => {
        const cities = new Set(rows.map(({ city }) => city)).size;
        return rows.length === 0 ? [] : [cities, cities];
      },
    },
  ],
  line: [
    {
      // The lines and bands of an axis are a series, too.
      visualization: {
        kind: 'line',
        x: 'day',
        series: [{ field: 'rate' }, { field: 'count', axis: 'right' }],
        dataLabels: 'extremes',
        referenceLines: [
          { value: 5_000, label: 'Goal' },
          { value: { statistic: 'average' } },
          { value: { statistic: 'percentile', percentile: 10, field: 'count' }, to: 90, axis: 'right' },
        ],
      },
      parts: (rows) => (rows.length === 0 ? [] : [byDay(rows, 'rate'), byDay(rows, 'count'), 2, 1]),
      maxCounted: 30,
    },
    {
      visualization: { kind: 'line', x: 'day', series: [{ field: 'rate' }] },
      parts: (rows) => [byDay(rows, 'rate')],
      maxCounted: 60,
    },
  ],
  area: [
    {
      visualization: { kind: 'area', x: 'day', series: [{ field: 'count' }] },
      parts: (rows) => [byDay(rows, 'count')],
      maxCounted: 60,
    },
    {
      visualization: {
        kind: 'area',
        x: 'day',
        series: [{ field: 'count' }, { field: 'amount' }],
        stacking: 'percent',
      },
      parts: (rows) => {
        const days = having(rows, 'day');
        return [days, days];
      },
      maxCounted: 30,
    },
  ],
  combo: [
    {
      visualization: {
        kind: 'combo',
        x: 'day',
        series: [
          { field: 'amount' },
          { field: 'rate', shape: 'line', axis: 'right' },
          { field: 'count', shape: 'area' },
        ],
      },
      parts: (rows) => ['amount', 'rate', 'count'].map((measure) => byDay(rows, measure)),
      maxCounted: 20,
    },
  ],
  pie: [
    {
      visualization: { kind: 'pie', category: 'day', value: 'count', dataLabels: 'share' },
      parts: (rows) => [
        Math.min(rows.filter(({ count }) => isNumber(count) && Number(count) >= 0).length, 12),
      ],
    },
  ],
  scatter: [
    {
      // The trend has no parts.
      visualization: {
        kind: 'scatter',
        x: 'count',
        y: 'rate',
        label: 'city',
        hasTrendLine: true,
        hasDataLabels: true,
        referenceLines: [{ value: 10, to: 20, axis: 'x' }, { value: { statistic: 'median' } }, { value: 2 }],
      },
      parts: (rows) => {
        const points = having(rows, 'count', 'rate');
        const hasTrend = rows.length > 1 && points > 1;
        return points === 0 ? [] : [points, ...(hasTrend ? [0] : []), 1, 2];
      },
      maxCounted: 2_000,
    },
    {
      visualization: { kind: 'scatter', x: 'day', y: 'rate' },
      parts: (rows) => [having(rows, 'day', 'rate')],
      maxCounted: 2_000,
    },
  ],
  heatMap: [
    {
      visualization: { kind: 'heatMap', x: 'day', y: 'product', value: 'amount', hasDataLabels: true },
      parts: (rows) => [having(rows, 'amount')],
      maxCounted: 2_000,
    },
  ],
  gauge: [
    {
      visualization: { kind: 'gauge', value: 'count', target: 40, thresholds: [{ from: 20, color: '3' }] },
      // The progress of the value, the scale behind it, and the target.
      parts: (rows) => (rows.length === 0 ? [] : [0, 1, 1]),
    },
  ],
  funnel: [
    {
      visualization: { kind: 'funnel', category: 'day', value: 'amount' },
      parts: (rows) => [
        Math.min(rows.filter(({ amount }) => isNumber(amount) && Number(amount) >= 0).length, 40),
      ],
    },
  ],
  waterfall: [
    {
      visualization: {
        kind: 'waterfall',
        category: 'day',
        value: 'amount',
        dataLabels: 'all',
        referenceLines: [{ value: 3_000, label: 'Plan' }],
      },
      parts: (rows) => {
        const steps = rows.filter(({ amount }) => isNumber(amount)).length;
        return steps === 0 ? [] : [Math.min(steps, 100) + 1, 1];
      },
    },
  ],
  boxPlot: [
    {
      visualization: {
        kind: 'boxPlot',
        category: 'city',
        value: 'amount',
        whiskers: 'range',
        referenceLines: [{ value: { statistic: 'average' } }],
      },
      parts: (rows) => {
        const boxes = new Set(rows.filter(({ amount }) => amount !== null).map(({ city }) => city)).size;
        return boxes === 0 ? [] : [boxes, 0, 1];
      },
    },
    {
      visualization: {
        kind: 'boxPlot',
        category: 'day',
        value: 'count',
        summary: { min: 'count', lowerQuartile: 'count', upperQuartile: 'count', max: 'count' },
      },
      parts: (rows) => [Math.min(having(rows, 'count'), 100)],
    },
  ],
  calendar: [
    {
      visualization: { kind: 'calendar', date: 'day', value: 'amount' },
      parts: (rows) => {
        const days = rows
          .filter(({ day, amount }) => day !== null && amount !== null)
          .map(({ day }) => String(day));
        const years = [...Map.groupBy(days, (day) => day.slice(0, 4))].slice(-5);
        return years.map(([, of]) => of.length);
      },
    },
  ],
  treemap: [
    {
      visualization: { kind: 'treemap', category: 'day', group: 'city', value: 'count' },
      // A group with several rectangles is a part, too, and so is the whole.
      parts: (rows) => {
        const shown = rows.filter(({ count }) => Number(count) > 0);
        return [shown.length + new Set(shown.map(({ city }) => city)).size + 1];
      },
      maxCounted: 100,
    },
  ],
  sankey: [
    {
      visualization: {
        kind: 'sankey',
        source: 'city',
        target: 'product',
        value: 'count',
        hasSeparateSides: true,
      },
      parts: (rows) => {
        const shown = rows.filter(
          ({ city, product, count }) => city !== null && product !== null && Number(count) > 0,
        );
        const names = (column: string) => new Set(shown.map((row) => row[column])).size;
        const links = new Set(shown.map(({ city, product }) => `${String(city)} ${String(product)}`)).size;
        // Nodes and links are both counted from 0.
        return [Math.max(names('city') + names('product'), links)];
      },
    },
    {
      visualization: { kind: 'sankey', source: 'day', target: 'city', value: 'amount' },
      parts: (rows) => {
        const shown = rows.filter(
          ({ day, city, amount }) => day !== null && city !== null && Number(amount) > 0,
        );
        return [shown.length === 0 ? 0 : shown.length + new Set(shown.map(({ city }) => city)).size];
      },
      maxCounted: 50,
    },
  ],
  gantt: [
    {
      visualization: { kind: 'gantt', label: 'city', start: 'day', end: 'day', group: 'product' },
      // Each day is a bar, and no two of a line overlap.
      parts: (rows) => [having(rows, 'day')],
      maxCounted: 100,
    },
    {
      visualization: { kind: 'gantt', label: 'day', start: 'rate', end: 'count', progress: 'rate' },
      // A bar without an end fades out.
      parts: (rows) => [
        rows.filter(({ rate, count }) => rate !== null && (count === null || Number(count) >= Number(rate)))
          .length,
      ],
      maxCounted: 100,
    },
  ],
  map: [
    {
      visualization: { kind: 'map', region: 'country', value: 'amount' },
      // Areas without a value are drawn, too; Malta is a dot.
      parts: (rows) => [
        areasOfWorld,
        rows.some(({ country, amount }) => country === 'Malta' && amount !== null) ? 1 : 0,
      ],
    },
    {
      visualization: {
        kind: 'map',
        latitude: 'latitude',
        longitude: 'longitude',
        label: 'city',
        value: 'count',
      },
      parts: (rows) => [rows.filter(({ latitude }) => latitude !== null && Number(latitude) <= 90).length],
      maxCounted: 100,
    },
  ],
  histogram: [
    {
      visualization: {
        kind: 'histogram',
        value: 'count',
        bins: 4,
        referenceLines: [{ value: { statistic: 'median' } }, { value: 5, axis: 'y' }],
      },
      parts: (rows) => [Math.min(new Set(rows.map(({ count }) => count)).size, 4)],
      maxCounted: 0,
    },
  ],
};

/** The kinds that are drawn without ECharts. */
export const otherCases: Readonly<Partial<Record<KindName, Visualization>>> = {
  table: { kind: 'table' },
  pivot: {
    kind: 'pivot',
    rows: ['city'],
    columns: ['product'],
    values: [
      { field: 'amount', aggregate: 'sum' },
      { field: 'count', aggregate: 'average' },
    ],
  },
  number: { kind: 'number', value: 'count' },
  text: { kind: 'text', text: 'There are {{count}} in {{city}}.' },
};

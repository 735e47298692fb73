import type { Visualization } from '#contract/reports/visualizations.ts';
import type { KindName } from '#charts/kind.ts';
import { picturedWidgets } from './pictured-widgets.ts';

const { bar, line, area, combo, pie, heatMap, gauge, number, table, gantt, sankey } = picturedWidgets;

/** Widgets that show less than those of `picturedWidgets`, or something else, by what is wrong with them. */
export const wrongWidgets: Readonly<
  Record<string, { readonly kind: KindName; readonly query: string; readonly visualization: Visualization }>
> = {
  'a missing series of bars': {
    kind: 'bar',
    query: bar.query,
    visualization: { ...bar.visualization, series: [{ field: 'north' }] },
  },
  'a missing line': {
    kind: 'line',
    query: line.query,
    visualization: { ...line.visualization, series: [{ field: 'visits' }] },
  },
  'a missing legend': {
    kind: 'area',
    query: area.query,
    visualization: { ...area.visualization, hasLegend: false },
  },
  'areas that are not stacked': {
    kind: 'area',
    query: area.query,
    visualization: { ...area.visualization, stacking: 'none' },
  },
  'a wrong color': {
    kind: 'line',
    query: line.query,
    visualization: { ...line.visualization, series: [{ field: 'visits' }, { field: 'orders', color: '3' }] },
  },
  'a wrong axis': {
    kind: 'line',
    query: line.query,
    visualization: { ...line.visualization, yAxis: { max: 80 } },
  },
  'the axis on the other side': {
    kind: 'combo',
    query: combo.query,
    visualization: { ...combo.visualization, series: [{ field: 'north' }, { field: 'rate', shape: 'line' }] },
  },
  'no reference line': {
    kind: 'bar',
    query: bar.query,
    visualization: { ...bar.visualization, referenceLines: [] },
  },
  'a missing slice': {
    kind: 'pie',
    query: `${pie.query} WHERE amount > 100`,
    visualization: pie.visualization,
  },
  'a missing cell': {
    kind: 'heatMap',
    query: `${heatMap.query} WHERE i <> 12`,
    visualization: heatMap.visualization,
  },
  'a missing target': {
    kind: 'gauge',
    query: gauge.query,
    visualization: { kind: 'gauge', value: 'score', max: 100 },
  },
  'a digit of a number': {
    kind: 'number',
    query: number.query.replace('1475', '1415'),
    visualization: number.visualization,
  },
  'a missing row': {
    kind: 'table',
    query: `${table.query} WHERE quarter <> 'Q3'`,
    visualization: table.visualization,
  },
  'a missing bar': {
    kind: 'gantt',
    query: `${gantt.query} WHERE task <> 'Test'`,
    visualization: gantt.visualization,
  },
  'a missing flow': {
    kind: 'sankey',
    query: `${sankey.query} WHERE amount <> 20`,
    visualization: sankey.visualization,
  },
};

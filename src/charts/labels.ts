import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';

/** A part of a visualization that shows a column. */
interface Part {
  readonly label?: string;
  readonly format?: ValueFormat;
}

/**
 * Returns a visualization with the display names and formats that the models of the tables give to its columns, except where it
 * has its own.
 */
export function withLabels(
  visualization: Visualization,
  { columns, labels = [] }: Pick<ReportResult, 'columns' | 'labels'>,
): Visualization {
  if (labels.length === 0) return visualization;
  const byColumn = new Map(
    labels.map(({ column, displayName: label, format }) => [column, { label, format }]),
  );

  const formatted = <Shown extends object>(field: string, shown: Shown): Shown & Pick<Part, 'format'> => {
    const format = byColumn.get(field)?.format;
    return { ...(format !== undefined && { format }), ...shown };
  };
  const labelled = <Shown extends object>(field: string, shown: Shown): Shown & Part => {
    const label = byColumn.get(field)?.label;
    return { ...(label !== undefined && { label }), ...formatted(field, shown) };
  };
  const titled = (field: string, axis: object | undefined) => {
    const title = byColumn.get(field)?.label;
    return { ...(title !== undefined && { title }), ...formatted(field, axis ?? {}) };
  };

  switch (visualization.kind) {
    case 'table':
      return {
        ...visualization,
        columns: (visualization.columns ?? columns.map(({ name: field }) => ({ field }))).map((column) =>
          labelled(column.field, column),
        ),
      };
    case 'bar':
    case 'line':
    case 'area':
    case 'combo':
      return {
        ...visualization,
        series: visualization.series.map((series) => labelled(series.field, series)),
        xAxis: formatted(visualization.x, visualization.xAxis ?? {}),
      };
    case 'scatter':
    case 'heatMap':
      return {
        ...(visualization.kind === 'heatMap' ? formatted(visualization.value, visualization) : visualization),
        xAxis: titled(visualization.x, visualization.xAxis),
        yAxis: titled(visualization.y, visualization.yAxis),
      };
    case 'histogram':
      return { ...visualization, xAxis: titled(visualization.value, visualization.xAxis) };
    case 'number':
      return {
        ...formatted(visualization.value, visualization),
        ...(visualization.comparison && {
          comparison: {
            ...visualization.comparison,
            ...labelOnly(byColumn.get(visualization.comparison.field)?.label, visualization.comparison.label),
          },
        }),
      };
    case 'gauge':
    case 'funnel':
    case 'waterfall':
    case 'boxPlot':
    case 'calendar':
    case 'treemap':
    case 'sankey':
    case 'pie':
      return formatted(visualization.value, visualization);
    case 'pivot':
      return {
        ...visualization,
        values: visualization.values.map((value) =>
          value.field === undefined || value.aggregate === 'count' ? value : formatted(value.field, value),
        ),
      };
    case 'map':
      return visualization.value === undefined
        ? visualization
        : formatted(visualization.value, visualization);
    case 'gantt':
    case 'text':
      return visualization;
  }
}

function labelOnly(described: string | undefined, own: string | undefined): { readonly label?: string } {
  const label = own ?? described;
  return label === undefined ? {} : { label };
}

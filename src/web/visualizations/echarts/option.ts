import { cartesianChart } from '../cartesian/option.ts';
import type { Chart, ChartVisualization } from './chart.ts';
import { heatMapChart } from '../heat-map/option.ts';
import { histogramChart } from '../histogram/option.ts';
import type { DrawingTheme } from './palette.ts';
import { pieChart } from '../pie/option.ts';
import type { DrawnRows } from '../values/result-values.ts';
import { scatterChart } from '../scatter/option.ts';

/** Returns the chart of an answer, as its visualization describes it. What is described and not there is left out. */
export function toChart(visualization: ChartVisualization, result: DrawnRows, theme: DrawingTheme): Chart {
  switch (visualization.kind) {
    case 'bar':
    case 'line':
    case 'area':
      return cartesianChart(visualization, result, theme);
    case 'scatter':
      return scatterChart(visualization, result, theme);
    case 'pie':
      return pieChart(visualization, result, theme);
    case 'heatMap':
      return heatMapChart(visualization, result, theme);
    case 'histogram':
      return histogramChart(visualization, result, theme);
  }
}

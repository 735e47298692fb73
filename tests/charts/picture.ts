import { init } from 'echarts';
import type { Chart } from '#charts/drawing/chart.ts';

/** A chart as ECharts draws it on a server. */
export interface Picture {
  readonly svg: string;
  /** How many points, bars, slices and cells of each series there are, by its index. */
  readonly partCounts: ReadonlyMap<number, number>;
}

/** Draws a chart of 800 × 500 pixels. */
export function drawPicture({ option }: Pick<Chart, 'option'>): Picture {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 500 });
  try {
    chart.setOption(option);
    const svg = chart.renderToSVGString();
    const parts = new Set(
      Array.from(
        svg.matchAll(/ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)"/g),
        ([, series = '', data = '']) => `${series} ${data}`,
      ),
    );
    const partCounts = new Map<number, number>();
    for (const part of parts) {
      const series = Number(part.split(' ')[0]);
      partCounts.set(series, (partCounts.get(series) ?? 0) + 1);
    }
    return { svg, partCounts };
  } finally {
    chart.dispose();
  }
}

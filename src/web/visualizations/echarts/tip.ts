import type { ECharts } from 'echarts/core';
import { nodeIndex } from '#charts/drawing/graph-parts.ts';

/** The indexes of a part of a chart. */
export interface PartIndexes {
  readonly seriesIndex: number;
  readonly dataIndex: number;
}

/** What ECharts knows about a series; not in its types, although its own components use it. */
interface Inside {
  getModel(): {
    getSeriesByIndex(index: number): Series | undefined;
  };
}

interface Series {
  readonly coordinateSystem?: { readonly type: string } | null;
  getData(): Data;
  getData(dataType: 'edge'): Data | undefined;
}

interface Data {
  getItemGraphicEl(index: number): Shape | undefined;
}

interface Shape {
  readonly transform?: readonly number[] | null;
  getBoundingRect(): { clone(): Rectangle };
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  applyTransform(transform: readonly number[] | null | undefined): void;
}

/**
 * Returns the action that shows the tooltip of a part. ECharts shows it at the wrong place in charts without axes, and not at all
 * for the links of a graph, so that it gets the middle of their shapes.
 */
export function tipOf(canvas: ECharts, part: PartIndexes): { readonly type: string } {
  const { seriesIndex, dataIndex } = part;
  const series = (canvas as unknown as Inside).getModel().getSeriesByIndex(seriesIndex);
  if (series?.coordinateSystem?.type !== 'view') return showTip(part);
  const isNode = dataIndex < 0;
  const index = isNode ? nodeIndex(dataIndex) : dataIndex;
  // Only graphs have links.
  const links = isNode ? undefined : series.getData('edge');
  const shape = (links ?? series.getData()).getItemGraphicEl(index);
  if (shape === undefined) return showTip(part);
  const rectangle = shape.getBoundingRect().clone();
  rectangle.applyTransform(shape.transform);
  return showTip({
    x: rectangle.x + rectangle.width / 2,
    y: rectangle.y + rectangle.height / 2,
    tooltip: {
      formatterParams: { seriesIndex, dataIndex: index, ...(isNode && { dataType: 'node' }) },
    },
  });
}

const showTip = (payload: object): { readonly type: string } => ({ type: 'showTip', ...payload });

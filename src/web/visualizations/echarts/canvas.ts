import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use, type ECharts } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer } from 'echarts/renderers';
import type { EChartsOption } from 'echarts';
import { partIndexOf } from '#charts/drawing/graph-parts.ts';
import { renderInTurn } from './render-queue.ts';
import { tipOf, type PartIndexes } from './tip.ts';

// The parts that all kinds of charts use; each kind adds its own.
use([GridComponent, LabelLayout, LegendComponent, TooltipComponent, CanvasRenderer]);

/** A click on a canvas, with its position in the element. */
export interface CanvasClick {
  readonly x: number;
  readonly y: number;
  /** Undefined if it isn't on a point, bar, slice or cell. */
  readonly part: PartIndexes | undefined;
  /** A tap is a click, too. */
  readonly event: MouseEvent | TouchEvent;
}

/** A canvas that shows a chart in the size of its element. */
export interface ChartCanvas {
  show(option: EChartsOption): void;
  /** Shows the tooltip of a part of the chart, or hides it. */
  point(part: PartIndexes | undefined): void;
  /** Returns the position of a point on the axes of its series, in pixels of the element; undefined if it has no axes. */
  positionOf(seriesIndex: number, point: readonly [number, number]): readonly number[] | undefined;
  /** Returns where a position on the x-axis is, in pixels of the element; undefined if it isn't on the axis. */
  xOf(position: number): number | undefined;
  /** Returns the position on the x-axis at a place; undefined beside the axis, or with `isClamped` the closest end of it. */
  timeAt(x: number, isClamped?: boolean): number | undefined;
  /** Enlarges a map in its middle; from then on, it can be moved. */
  zoom(factor: number): void;
  dispose(): void;
}

/**
 * Opens a canvas within an element; `onClick` gets every click on it. The size comes from an
 * observer: reading it from the element would make the browser lay out the page once for each chart.
 */
export function openChartCanvas(element: HTMLElement, onClick: (click: CanvasClick) => void): ChartCanvas {
  let canvas: ECharts | undefined;
  let option: EChartsOption | undefined;
  let shown: EChartsOption | undefined;
  let size: { readonly width: number; readonly height: number } | undefined;
  let cancel = (): void => {};

  function render(): void {
    if (size === undefined || option === undefined) return;
    if (canvas === undefined) {
      canvas = init(element, null, { renderer: 'canvas', ...size });
      canvas.on('click', ({ componentType, seriesIndex, event, ...part }) => {
        if (componentType !== 'series' || seriesIndex === undefined || event === undefined) return;
        onClick({ ...placeOf(event), part: { seriesIndex, dataIndex: partIndexOf(part) } });
      });
      canvas.getZr().on('click', (event) => {
        // The other clicks are those on a part, or on an axis.
        if (event.target === undefined) onClick({ ...placeOf(event), part: undefined });
      });
    } else if (canvas.getWidth() !== size.width || canvas.getHeight() !== size.height) {
      canvas.resize(size);
    }
    if (option !== shown) canvas.setOption(option, { notMerge: true });
    shown = option;
  }

  /** Whether a place is between the ends of the x-axis. The middle of a chart is always between those of the other axis. */
  const isOnAxis = (x: number): boolean =>
    canvas?.containPixel({ gridIndex: 0 }, [x, (size?.height ?? 0) / 2]) === true;

  function renderSoon(): void {
    cancel();
    cancel = renderInTurn(render);
  }

  // Until the font has arrived, a canvas shows another one; unlike texts of the page, it doesn't change by itself.
  if (document.fonts.status === 'loading')
    void document.fonts.ready.then(() => {
      shown = undefined;
      renderSoon();
    });

  const observer = new ResizeObserver(([entry]) => {
    if (entry === undefined) return;
    const { width, height } = entry.contentRect;
    if (width === 0 || height === 0) return;
    size = { width, height };
    renderSoon();
  });
  observer.observe(element);

  return {
    show(next) {
      option = next;
      renderSoon();
    },
    point(part) {
      canvas?.dispatchAction(part === undefined ? { type: 'hideTip' } : tipOf(canvas, part));
    },
    positionOf(seriesIndex, point) {
      const pixels: unknown = canvas?.convertToPixel({ seriesIndex }, [...point]);
      return Array.isArray(pixels) ? (pixels as number[]) : undefined;
    },
    xOf(position) {
      const x: unknown = canvas?.convertToPixel({ xAxisIndex: 0 }, position);
      return typeof x === 'number' && isOnAxis(x) ? x : undefined;
    },
    timeAt(x, isClamped = false) {
      const width = size?.width ?? 0;
      const step = x < width / 2 ? 1 : -1;
      let within = x;
      if (isClamped) while (!isOnAxis(within) && within >= 0 && within <= width) within += step;
      if (!isOnAxis(within)) return undefined;
      const time: unknown = canvas?.convertFromPixel({ xAxisIndex: 0 }, within);
      return typeof time === 'number' ? time : undefined;
    },
    zoom(factor) {
      if (canvas === undefined) return;
      canvas.setOption({ geo: { roam: 'move' } });
      const [originX, originY] = [canvas.getWidth() / 2, canvas.getHeight() / 2];
      canvas.dispatchAction({ type: 'geoRoam', geoIndex: 0, zoom: factor, originX, originY });
    },
    dispose() {
      observer.disconnect();
      cancel();
      canvas?.dispose();
    },
  };
}

/** Returns where a click was. Sound because a canvas that is rendered by the browser only has events of the browser. */
const placeOf = ({ offsetX, offsetY, event }: { offsetX: number; offsetY: number; event: unknown }) => ({
  x: offsetX,
  y: offsetY,
  event: event as MouseEvent | TouchEvent,
});

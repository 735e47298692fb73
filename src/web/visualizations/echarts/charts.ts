import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use, type ECharts } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { EChartsOption } from 'echarts';
import { renderInTurn } from './render-queue.ts';

// The parts that all kinds of charts use; each kind adds its own.
use([GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

/** A canvas that shows a chart in the size of its element. */
export interface ChartCanvas {
  show(option: EChartsOption): void;
  dispose(): void;
}

/**
 * Opens a canvas within an element; `onClick` gets the index of the clicked series and point. The size comes from an
 * observer: reading it from the element would make the browser lay out the page once for each chart.
 */
export function openChartCanvas(
  element: HTMLElement,
  onClick: (seriesIndex: number, dataIndex: number) => void,
): ChartCanvas {
  let canvas: ECharts | undefined;
  let option: EChartsOption | undefined;
  let shown: EChartsOption | undefined;
  let size: { readonly width: number; readonly height: number } | undefined;
  let cancel = (): void => {};

  function render(): void {
    if (size === undefined || option === undefined) return;
    if (canvas === undefined) {
      canvas = init(element, null, { renderer: 'canvas', ...size });
      canvas.on('click', ({ componentType, seriesIndex, dataIndex }) => {
        if (componentType === 'series' && seriesIndex !== undefined) onClick(seriesIndex, dataIndex);
      });
    } else if (canvas.getWidth() !== size.width || canvas.getHeight() !== size.height) {
      canvas.resize(size);
    }
    if (option !== shown) canvas.setOption(option, { notMerge: true });
    shown = option;
  }

  function renderSoon(): void {
    cancel();
    cancel = renderInTurn(render);
  }

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
    dispose() {
      observer.disconnect();
      cancel();
      canvas?.dispose();
    },
  };
}

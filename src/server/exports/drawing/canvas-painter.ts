import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { memberOf, setWithFont } from './chart-texts.ts';
import { fontOf } from './fonts.ts';
import type { Painter } from './painter.ts';

use([CanvasRenderer]);

/** Draws on a canvas, or on a page of a PDF. Links to paths of this server lead to `linkBase`; without it, there are no links. */
export function canvasPainter(context: SKRSContext2D, linkBase?: string): Painter {
  return {
    rectangle({ x, y, width, height }, { fill, stroke, radius = 0 }) {
      context.beginPath();
      context.roundRect(x, y, width, height, radius);
      if (fill !== undefined) {
        context.fillStyle = fill;
        context.fill();
      }
      if (stroke !== undefined) {
        context.strokeStyle = stroke;
        context.lineWidth = 1;
        context.stroke();
      }
    },
    line(from, to, color, width = 1) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    },
    path({ x, y }, d, color, width) {
      context.save();
      context.translate(x, y);
      context.strokeStyle = color;
      context.lineWidth = width;
      context.lineCap = 'round';
      context.lineJoin = 'round';
      context.stroke(new Path2D(d));
      context.restore();
    },
    circle({ x, y }, radius, fill) {
      context.fillStyle = fill;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    },
    text(x, y, text, style) {
      context.font = fontOf(style, text);
      context.fillStyle = style.color;
      context.textAlign = 'left';
      context.textBaseline = 'alphabetic';
      context.direction = style.isRightToLeft === true ? 'rtl' : 'ltr';
      context.fillText(text, x, y);
    },
    clip({ x, y, width, height }, draw) {
      context.save();
      context.beginPath();
      context.rect(x, y, width, height);
      context.clip();
      draw();
      context.restore();
    },
    image({ x, y, width, height }, { picture }, fit) {
      const [across, down] = [width / picture.width, height / picture.height];
      const scale = fit === 'fill' ? Math.max(across, down) : Math.min(across, down);
      const [w, h] = [picture.width * scale, picture.height * scale];
      this.clip({ x, y, width, height }, () =>
        context.drawImage(picture, x + (width - w) / 2, y + (height - h) / 2, w, h),
      );
    },
    chart({ x, y, width, height }, option) {
      context.save();
      // A map is drawn beyond its box, which the canvas of the page cuts off.
      context.beginPath();
      context.rect(x, y, width, height);
      context.clip();
      context.translate(x, y);
      const chart = init(elementOf(context, width, height), null, {
        renderer: 'canvas',
        width,
        height,
        devicePixelRatio: 1,
      });
      drawAtOnce(chart);
      chart.setOption(option);
      chart.getZr().flush();
      chart.dispose();
      context.restore();
    },
    link({ x, y, width, height }, href) {
      const url = linkBase === undefined ? null : URL.parse(href, linkBase);
      if (url !== null) context.annotateLinkUrl(x, y, x + width, y + height, url.href);
    },
  };
}

/**
 * Draws all shapes on the one canvas. ECharts 6.1 marks each cell of a heat map as drawn part by part, for which it needs a second
 * canvas, although the series isn't progressive (`useIncremental` is undefined in HeatmapView.js).
 */
function drawAtOnce(chart: ReturnType<typeof init>): void {
  const { painter, storage } = chart.getZr();
  const refresh = painter.refresh.bind(painter);
  painter.refresh = (options) => {
    for (const shape of storage.getDisplayList(true)) shape.incremental = 0;
    return refresh(options);
  };
}

/**
 * Returns what ECharts takes for a canvas element of the page. ECharts sets absolute transformations and clears its canvas first:
 * here, they are relative to the place of the chart, around which other widgets have been drawn.
 */
function elementOf(context: SKRSContext2D, width: number, height: number): Parameters<typeof init>[0] {
  const place = context.getTransform();
  const placed = new Proxy(context, {
    get(target, name) {
      if (name === 'clearRect') return () => undefined;
      if (name === 'setTransform')
        return (...matrix: [number, number, number, number, number, number]) => {
          target.setTransform(place);
          target.transform(...matrix);
        };
      return memberOf(target, name);
    },
    set: setWithFont,
  });
  const element = {
    nodeName: 'CANVAS',
    width,
    height,
    style: {},
    getContext: () => placed,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  // Sound because ECharts uses nothing else of it.
  return element as unknown as Parameters<typeof init>[0];
}

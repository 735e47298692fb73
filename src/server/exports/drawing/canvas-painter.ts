import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { init, setPlatformAPI, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { fontOf } from './fonts.ts';
import type { Painter } from './painter.ts';

use([CanvasRenderer]);
// Charts measure their texts with it. Sound because ECharts only uses what canvases of browsers have, too.
setPlatformAPI({ createCanvas: () => createCanvas(1, 1) as never });

/** Draws on a canvas, or on a page of a PDF. */
export function canvasPainter(context: SKRSContext2D): Painter {
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
    circle({ x, y }, radius, fill) {
      context.fillStyle = fill;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    },
    text(x, y, text, style) {
      context.font = fontOf(style);
      context.fillStyle = style.color;
      context.textAlign = 'left';
      context.textBaseline = 'alphabetic';
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
    chart({ x, y, width, height }, option) {
      context.save();
      context.translate(x, y);
      const chart = init(elementOf(context, width, height), null, {
        renderer: 'canvas',
        width,
        height,
        devicePixelRatio: 1,
      });
      chart.setOption(option);
      chart.getZr().flush();
      chart.dispose();
      context.restore();
    },
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
      // Sound because only members of contexts are read.
      const member = target[name as keyof SKRSContext2D] as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
    set: (target, name, value) => Reflect.set(target, name, value),
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

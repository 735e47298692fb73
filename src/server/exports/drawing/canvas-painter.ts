import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { init, setPlatformAPI, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { fontOf, withSubsets } from './fonts.ts';
import type { Painter } from './painter.ts';
import { drawable } from './text.ts';

use([CanvasRenderer]);
const setWithFont = (target: SKRSContext2D, name: string | symbol, value: unknown): boolean =>
  Reflect.set(target, name, name === 'font' && typeof value === 'string' ? withSubsets(value) : value);

const textMembers: ReadonlySet<string | symbol> = new Set(['fillText', 'strokeText', 'measureText']);

/** Returns a member of a context; texts lose what a canvas refuses. */
function memberOf(target: SKRSContext2D, name: string | symbol): unknown {
  // Sound because only members of contexts are read.
  const member = target[name as keyof SKRSContext2D] as unknown;
  if (typeof member !== 'function') return member;
  if (!textMembers.has(name)) return member.bind(target) as unknown;
  return (text: unknown, ...others: unknown[]): unknown =>
    Reflect.apply(member, target, [drawable(String(text)), ...others]);
}

/** With which charts measure their texts. */
const measuring = new Proxy(createCanvas(1, 1).getContext('2d'), { get: memberOf, set: setWithFont });
// Sound because ECharts uses nothing else of this canvas.
setPlatformAPI({ createCanvas: () => ({ getContext: () => measuring }) as never });

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

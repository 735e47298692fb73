import { createCanvas, DOMMatrix, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { setPlatformAPI } from 'echarts/core';
import { withLettersOf, withSubsets } from './fonts.ts';
import { drawable } from './text.ts';

/** Sets a member of a context; fonts get the names that they have here. */
export const setWithFont = (target: SKRSContext2D, name: string | symbol, value: unknown): boolean =>
  Reflect.set(target, name, name === 'font' && typeof value === 'string' ? withSubsets(value) : value);

const textMembers: ReadonlySet<string | symbol> = new Set(['fillText', 'strokeText', 'measureText']);

/** Returns a member of a context. Texts lose what a canvas refuses, and have fonts with their letters. */
export function memberOf(target: SKRSContext2D, name: string | symbol): unknown {
  // Sound because only members of contexts are read.
  const member = target[name as keyof SKRSContext2D] as unknown;
  if (typeof member !== 'function') return member;
  if (!textMembers.has(name)) return member.bind(target) as unknown;
  return (text: unknown, ...others: unknown[]): unknown => {
    const shown = drawable(String(text));
    const { font } = target;
    const complete = withLettersOf(shown, font);
    if (complete !== font) target.font = complete;
    const result: unknown = Reflect.apply(member, target, [shown, ...others]);
    if (complete !== font) target.font = font;
    return result;
  };
}

/** Returns a canvas with which charts measure their texts, in SVGs, too, and on which they draw their patterns. */
function ownCanvas(): Canvas {
  const canvas = createCanvas(1, 1);
  const context = new Proxy(canvas.getContext('2d'), { get: memberOf, set: setWithFont });
  Object.defineProperty(canvas, 'getContext', { value: () => context });
  return canvas;
}
// Sound because ECharts uses nothing of a canvas that this one lacks.
setPlatformAPI({ createCanvas: () => ownCanvas() as never });
// With which ECharts turns patterns.
Object.assign(globalThis, { DOMMatrix });

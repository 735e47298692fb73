import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { lightTheme } from '#charts/drawing/palette.ts';
import { escapeXml, withoutInvalid } from '../files/xml.ts';
import './chart-texts.ts';
import type { Painter } from './painter.ts';

use([SVGRenderer]);

/** Draws an SVG; `toText` returns its elements. */
export function svgPainter(): Painter & { readonly toText: () => string } {
  const parts: string[] = [];
  let clipCount = 0;
  return {
    rectangle({ x, y, width, height }, { fill = 'none', stroke = 'none', radius = 0 }) {
      parts.push(`<rect${attributes({ x, y, width, height, rx: radius, fill, stroke })}/>`);
    },
    line(from, to, stroke, width = 1) {
      parts.push(
        `<line${attributes({ x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke, 'stroke-width': width })}/>`,
      );
    },
    path({ x, y }, d, stroke, width) {
      const line = {
        fill: 'none',
        stroke,
        'stroke-width': width,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
      };
      parts.push(`<path${attributes({ d, ...line, transform: `translate(${round(x)} ${round(y)})` })}/>`);
    },
    circle({ x, y }, radius, fill) {
      parts.push(`<circle${attributes({ cx: x, cy: y, r: radius, fill })}/>`);
    },
    text(x, y, text, { size, weight, color, isItalic, isMonospaced, isRightToLeft }) {
      const font = {
        'font-family':
          isMonospaced === true ? 'ui-monospace, Menlo, Consolas, monospace' : lightTheme.fontFamily,
        ...(isItalic === true && { 'font-style': 'italic' }),
        // The start of a text from right to left is its right end, so that its end is at the left.
        ...(isRightToLeft === true && { direction: 'rtl', 'text-anchor': 'end' }),
        'font-size': size,
        'font-weight': weight,
        fill: color,
        'xml:space': 'preserve',
      };
      parts.push(`<text${attributes({ x, y, ...font })}>${escapeXml(text)}</text>`);
    },
    clip({ x, y, width, height }, draw) {
      clipCount += 1;
      const id = `clip-${clipCount}`;
      parts.push(
        `<clipPath id="${id}"><rect${attributes({ x, y, width, height })}/></clipPath><g clip-path="url(#${id})">`,
      );
      draw();
      parts.push('</g>');
    },
    image({ x, y, width, height }, { dataUrl }, fit) {
      const preserveAspectRatio = `xMidYMid ${fit === 'fill' ? 'slice' : 'meet'}`;
      parts.push(`<image${attributes({ x, y, width, height, preserveAspectRatio, href: dataUrl })}/>`);
    },
    chart(box, option) {
      const { x, y, width, height } = box;
      const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
      chart.setOption(option);
      const text = stillText(chart);
      chart.dispose();
      // A map is drawn beyond its box.
      this.clip(box, () => parts.push(`<g transform="translate(${round(x)} ${round(y)})">${text}</g>`));
    },
    // A picture that is opened as a page of its own must lead nowhere.
    link: () => undefined,
    toText: () => parts.join('\n'),
  };
}

/** Returns an SVG without style sheets, by which charts on pages are animated and respond to the pointer. */
function stillText(chart: ReturnType<typeof init>): string {
  // Sound because the chart was opened with the renderer for SVG.
  const painter = chart.getZr().painter as unknown as {
    renderToString(options: { readonly cssAnimation: boolean; readonly cssEmphasis: boolean }): string;
  };
  return withoutInvalid(painter.renderToString({ cssAnimation: false, cssEmphasis: false }));
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value) : escapeXml(value)}"`)
    .join('');

const round = (value: number): number => Math.round(value * 100) / 100;

import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { lightTheme } from '#charts/drawing/palette.ts';
import { escapeXml, withoutInvalid } from '../files/xml.ts';
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
    circle({ x, y }, radius, fill) {
      parts.push(`<circle${attributes({ cx: x, cy: y, r: radius, fill })}/>`);
    },
    text(x, y, text, { size, weight, color }) {
      const font = {
        'font-family': lightTheme.fontFamily,
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
    chart({ x, y, width, height }, option) {
      const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
      chart.setOption(option);
      const text = stillText(chart);
      chart.dispose();
      parts.push(`<g transform="translate(${round(x)} ${round(y)})">${text}</g>`);
    },
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

import { lightTheme as theme } from '#charts/drawing/palette.ts';
import type { Box, Painter } from './painter.ts';

const gap = 4;
const color = `${theme.surface}99`;

/** The directions of the lines of the patterns that have lines, as in ChartLegend.module.css; the others have dots or squares. */
const lines: Readonly<Record<number, readonly [across: number, down: number]>> = {
  1: [1, -1],
  3: [1, 1],
  4: [1, 0],
  6: [0, 1],
};

/** Draws the pattern of a color on its mark in a legend. */
export function drawPattern(painter: Painter, box: Box, pattern: number): void {
  const { x, y, width, height } = box;
  const direction = lines[pattern];
  const steps = Array.from({ length: Math.ceil((width + height) / gap) }, (_, index) => index * gap);
  painter.clip(box, () => {
    for (const at of steps) {
      if (direction !== undefined) {
        const [across, down] = direction;
        const from =
          across === 0
            ? { x: x + at, y }
            : { x: down === 0 ? x : x - height + at, y: down === 0 ? y + at : down > 0 ? y : y + height };
        const to = { x: from.x + across * (down === 0 ? width : height), y: from.y + down * height };
        painter.line(from, to, color, 1.5);
        continue;
      }
      for (const below of [gap / 2, gap * 1.5]) {
        const center = { x: x + at + gap / 2, y: y + below };
        if (pattern === 2) painter.circle(center, 1, color);
        else painter.rectangle({ x: center.x - 1, y: center.y - 1, width: 2, height: 2 }, { fill: color });
      }
    }
  });
}

import type { ReportResult } from '#contract/reports/runs.ts';
import {
  chartTheme,
  colorAt,
  lightTheme as theme,
  readableColor,
  resolveColor,
} from '#charts/drawing/palette.ts';
import type { OfKind } from '#charts/kind.ts';
import { figureOf } from '#charts/number/figure.ts';
import type { Comparison } from '#charts/values/comparison.ts';
import { sparklinePath } from '#charts/values/sparkline.ts';
import { reachedThreshold } from '#charts/values/thresholds.ts';
import { widthOf } from './fonts.ts';
import type { Box, Painter } from './painter.ts';
import { truncate } from './text.ts';
import { textColor, textLineHeight, textStyle } from './styles.ts';

const gap = 4;
const arrowSize = 16;
const figureLineHeight = 1.1;
const minHeightOfSparkline = 84;
const maxWidthOfSparkline = 320;
const comparisonLineHeight = 20.3;

/** Draws a large number, and its comparison: number/view.tsx. */
export function drawNumber(
  painter: Painter,
  box: Box,
  visualization: OfKind<'number'>,
  result: ReportResult,
): void {
  const { text = '', value, comparison, history } = figureOf(visualization, result) ?? {};
  const reached = reachedThreshold(visualization.thresholds, value);
  const paint = (color: string): string => readableColor(resolveColor(color, chartTheme(false)), theme);
  const color = reached === undefined ? textColor : paint(reached.color);
  const size = clamp(20, Math.min(0.44 * box.height, (1.3 * box.width) / Math.max(text.length, 4)), 64);
  const figure = { size, weight: 600, color } as const;
  // Only if there is space for it below the number.
  const lineHeight =
    history === undefined || box.height < minHeightOfSparkline ? 0 : clamp(18, 0.22 * box.height, 64);
  const contentHeight =
    size * figureLineHeight +
    (reached?.label === undefined ? 0 : textLineHeight + gap) +
    (comparison === undefined ? 0 : comparisonLineHeight + gap) +
    (lineHeight === 0 ? 0 : lineHeight + gap);
  let y = box.y + (box.height - contentHeight) / 2;
  drawCentered(painter, box, y + size * 0.9, truncate(text, box.width, figure), figure);
  y += size * figureLineHeight + gap;
  if (reached?.label !== undefined) {
    drawCentered(painter, box, y + 15.5, truncate(reached.label, box.width, textStyle), textStyle);
    y += textLineHeight + gap;
  }
  if (comparison !== undefined) {
    drawComparison(painter, box, y, comparison, paint(comparison.isGood === true ? '3' : '4'));
    y += comparisonLineHeight + gap;
  }
  if (history === undefined || lineHeight === 0) return;
  const width = Math.min(box.width, maxWidthOfSparkline);
  const path = sparklinePath(history, { width: width - 4, height: lineHeight - 4 });
  const at = { x: box.x + (box.width - width) / 2 + 2, y: y + 2 };
  painter.path(at, path, colorAt(chartTheme(false), 0), 2);
}

function drawCentered(
  painter: Painter,
  box: Box,
  baseline: number,
  text: string,
  style: Parameters<Painter['text']>[3],
): void {
  painter.text(box.x + (box.width - widthOf(text, style)) / 2, baseline, text, style);
}

function drawComparison(
  painter: Painter,
  box: Box,
  top: number,
  { text, direction }: Comparison,
  color: string,
): void {
  const style = { ...textStyle, color: theme.dimmed };
  const arrowWidth = direction === 'same' ? 0 : arrowSize + gap;
  const shown = truncate(text, box.width - arrowWidth, style);
  const x = box.x + (box.width - arrowWidth - widthOf(shown, style)) / 2;
  if (direction !== 'same') drawArrow(painter, x, top + (textLineHeight - arrowSize) / 2, direction, color);
  painter.text(x + arrowWidth, top + 15.5, shown, style);
}

/** Draws an arrow to the upper or the lower right. */
function drawArrow(painter: Painter, x: number, y: number, direction: 'more' | 'less', color: string): void {
  const at = (right: number, down: number) => ({
    x: x + (right * arrowSize) / 24,
    y: y + ((direction === 'more' ? down : 24 - down) * arrowSize) / 24,
  });
  painter.line(at(7, 17), at(17, 7), color, 1.4);
  painter.line(at(8, 7), at(17, 7), color, 1.4);
  painter.line(at(17, 7), at(17, 16), color, 1.4);
}

const clamp = (min: number, value: number, max: number): number => Math.min(Math.max(value, min), max);

import type { Painter } from '../painter.ts';
import type { Line } from './lines.ts';

/** What is drawn, with its lower end. What ends below its box isn't drawn, unless it is only partly a text. */
interface Drawing {
  readonly end: number;
  readonly isText: boolean;
  readonly draw: (painter: Painter) => void;
}

/** Blocks below each other. Margins between them collapse, as in CSS. */
export interface Flow {
  readonly drawings: Drawing[];
  /** The lower end of what has been placed. */
  y: number;
  /** The margin before the next block. */
  margin: number;
  /** Below it, nothing can be seen. */
  readonly limit: number;
  readonly top: number;
}

export const createFlow = (top: number, limit: number): Flow => ({
  drawings: [],
  top,
  y: top,
  margin: 0,
  limit,
});

export const isFull = ({ y, limit }: Flow): boolean => y > limit;

/** Leaves a margin before what follows, or as much as was left before. There is none at the top. */
export function leave(flow: Flow, margin: number): void {
  if (flow.y > flow.top) flow.margin = Math.max(flow.margin, margin);
}

/** Takes the space of a block, and returns its top. */
export function take(flow: Flow, height: number): number {
  const top = flow.y + flow.margin;
  flow.margin = 0;
  flow.y = top + height;
  return top;
}

/** How many lines fit into what is left of a flow, and one more, which says that there are too many. */
export const linesLeft = ({ y, limit }: Flow, lineHeight: number): number =>
  Math.max(0, Math.ceil((limit - y) / lineHeight)) + 1;

export function draw(flow: Flow, end: number, drawing: Drawing['draw'], isText = false): void {
  flow.drawings.push({ end, isText, draw: drawing });
}

/** Adds lines of text below each other. */
export function addLines(
  flow: Flow,
  x: number,
  lines: readonly Line[],
  lineHeight: number,
  size: number,
): void {
  for (const line of lines) {
    const top = take(flow, lineHeight);
    drawLine(flow, x, top, line, lineHeight, size);
  }
}

/** The share of a font's size by which its letters are above the middle of a line. */
const baselineBelowMiddle = 0.36;

/** Draws a line of text at a place. */
export function drawLine(
  flow: Flow,
  x: number,
  top: number,
  { texts }: Line,
  lineHeight: number,
  size: number,
): void {
  const baseline = top + lineHeight / 2 + size * baselineBelowMiddle;
  draw(
    flow,
    top + lineHeight,
    (painter) => {
      for (const { x: start, width, text, style, isUnderlined, isStruck, href } of texts) {
        const left = x + start;
        painter.text(left, baseline, text, style);
        const ruleAt = (y: number) =>
          painter.line({ x: left, y }, { x: left + width, y }, style.color, Math.max(1, style.size / 14));
        if (isUnderlined === true) ruleAt(baseline + style.size * 0.14);
        if (isStruck === true) ruleAt(baseline - style.size * 0.28);
        if (href !== undefined) painter.link({ x: left, y: top, width, height: lineHeight }, href);
      }
    },
    true,
  );
}

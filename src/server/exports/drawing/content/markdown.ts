import type { Block, Inline, ListItem } from '#charts/content/markdown.ts';
import { lightTheme as theme } from '#charts/drawing/palette.ts';
import { widthOf } from '../fonts.ts';
import type { TextStyle } from '../painter.ts';
import { textColor } from '../styles.ts';
import { addLines, draw, isFull, leave, linesLeft, take, type Flow } from './flow.ts';
import { linesOf } from './lines.ts';
import type { ImageOf } from './image.ts';
import { codeStyle, runsOf, type Run, type ValueOf } from './runs.ts';
import { addTable } from './table.ts';

/** What texts in Markdown are drawn with: MarkdownText.module.css. */
export interface Frame {
  readonly valueOf: ValueOf;
  readonly linkColor: string;
  readonly imageOf: ImageOf;
}

const bodyStyle: TextStyle = { size: 14, weight: 400, color: textColor };
const lineHeight = 1.55;
const paragraphMargin = 0.75 * bodyStyle.size;
const headingSizes: Readonly<Record<number, number>> = { 1: 22.4, 2: 19.2 };
const smallHeadingSize = 16;
const headingLineHeight = 1.3;
const listIndent = 1.6 * bodyStyle.size;
const nestedListMargin = 0.25 * bodyStyle.size;
const quoteIndent = 0.9 * bodyStyle.size + 3;
const codePadding = { x: 11, y: 9 };
const checkboxSize = 13;

/** Adds the blocks of a text below each other. */
export function addBlocks(
  flow: Flow,
  blocks: readonly Block[],
  x: number,
  width: number,
  frame: Frame,
  listDepth = 0,
): void {
  for (const block of blocks) {
    if (isFull(flow)) return;
    addBlock(flow, block, x, width, frame, listDepth);
  }
}

function addBlock(flow: Flow, block: Block, x: number, width: number, frame: Frame, listDepth: number): void {
  switch (block.kind) {
    case 'paragraph':
      if (addImages(flow, block.children, x, width, frame)) return leave(flow, paragraphMargin);
      addText(flow, runsOf(block.children, { style: bodyStyle }, frame), x, width);
      return leave(flow, paragraphMargin);
    case 'heading': {
      const size = headingSizes[block.depth] ?? smallHeadingSize;
      leave(flow, size);
      const style: TextStyle = { ...bodyStyle, size, weight: 600 };
      addText(flow, runsOf(block.children, { style }, frame), x, width, headingLineHeight);
      return leave(flow, 0.4 * size);
    }
    case 'quote':
      addQuote(flow, block.children, x, width, frame, listDepth);
      return leave(flow, paragraphMargin);
    case 'list':
      addList(flow, block, x, width, frame, listDepth);
      return leave(flow, listDepth === 0 ? paragraphMargin : 0);
    case 'code':
      addCode(flow, block.text, x, width);
      return leave(flow, paragraphMargin);
    case 'table':
      addTable(flow, block, x, width, (cell, weight) =>
        runsOf(cell, { style: { ...bodyStyle, weight } }, frame),
      );
      return leave(flow, paragraphMargin);
    case 'rule': {
      leave(flow, bodyStyle.size);
      const y = take(flow, 1) + 0.5;
      draw(flow, y, (painter) => painter.line({ x, y }, { x: x + width, y }, theme.line));
      return leave(flow, bodyStyle.size);
    }
  }
}

/** Adds the images of a paragraph that has nothing else, below each other. Between words, their descriptions are shown. */
function addImages(
  flow: Flow,
  inlines: readonly Inline[],
  x: number,
  maxWidth: number,
  { imageOf }: Frame,
): boolean {
  const images = inlines.map((inline) => (inline.kind === 'image' ? imageOf(inline) : undefined));
  if (!images.every((image) => image !== undefined)) return false;
  for (const image of images) {
    const width = Math.min(maxWidth, image.picture.width);
    const height = (image.picture.height / image.picture.width) * width;
    const y = take(flow, height);
    draw(flow, y + height, (painter) => painter.image({ x, y, width, height }, image, 'whole'));
  }
  return images.length > 0;
}

function addText(
  flow: Flow,
  runs: readonly Run[],
  x: number,
  width: number,
  relativeLineHeight = lineHeight,
): void {
  const size =
    runs[0]?.style.isMonospaced === true ? bodyStyle.size : (runs[0]?.style.size ?? bodyStyle.size);
  const height = size * relativeLineHeight;
  addLines(flow, x, linesOf(runs, width, linesLeft(flow, height)), height, size);
}

function addQuote(
  flow: Flow,
  blocks: readonly Block[],
  x: number,
  width: number,
  frame: Frame,
  listDepth: number,
): void {
  const first = flow.drawings.length;
  const top = flow.y + flow.margin;
  addBlocks(flow, blocks, x + quoteIndent, Math.max(1, width - quoteIndent), frame, listDepth);
  if (flow.drawings.length === first) return;
  const bar = { x, y: top, width: 3, height: flow.y - top };
  draw(flow, top, (painter) => painter.rectangle(bar, { fill: theme.line }));
}

function addList(
  flow: Flow,
  { start, items }: Extract<Block, { kind: 'list' }>,
  x: number,
  width: number,
  frame: Frame,
  depth: number,
): void {
  if (depth > 0) leave(flow, nestedListMargin);
  const isTasks = start === undefined && items.every(({ isDone }) => isDone !== undefined);
  const indent = isTasks ? 0 : listIndent;
  const room = Math.max(1, width - indent);
  for (const [index, item] of items.entries()) {
    if (isFull(flow)) return;
    const top = flow.y + flow.margin;
    if (start !== undefined) drawNumber(flow, `${start + index}.`, x + indent, top);
    else if (!isTasks) drawBullet(flow, depth, x + indent, top);
    addItem(flow, item, x + indent, room, frame, depth + 1);
  }
}

function addItem(
  flow: Flow,
  { isDone, children }: ListItem,
  x: number,
  width: number,
  frame: Frame,
  depth: number,
): void {
  const [first, ...others] = children;
  const indent = isDone === undefined ? 0 : checkboxSize + 0.5 * bodyStyle.size;
  if (isDone !== undefined) drawCheckbox(flow, isDone, x, flow.y + flow.margin);
  if (first?.kind === 'paragraph')
    addText(
      flow,
      runsOf(first.children, { style: bodyStyle }, frame),
      x + indent,
      Math.max(1, width - indent),
    );
  else if (first !== undefined)
    addBlocks(flow, [first], x + indent, Math.max(1, width - indent), frame, depth);
  else take(flow, bodyStyle.size * lineHeight);
  addBlocks(flow, others, x, width, frame, depth);
}

const middleOfLine = (top: number): number => top + (bodyStyle.size * lineHeight) / 2;

function drawNumber(flow: Flow, text: string, end: number, top: number): void {
  const x = end - widthOf(text, bodyStyle) - 0.4 * bodyStyle.size;
  const y = middleOfLine(top) + bodyStyle.size * 0.36;
  draw(flow, top + bodyStyle.size * lineHeight, (painter) => painter.text(x, y, text, bodyStyle), true);
}

function drawBullet(flow: Flow, depth: number, end: number, top: number): void {
  const [x, y, radius] = [end - 11, middleOfLine(top) + 1, 2.5];
  draw(
    flow,
    top + bodyStyle.size * lineHeight,
    (painter) => {
      const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
      if (depth === 0) painter.circle({ x, y }, radius, textColor);
      else if (depth === 1) painter.rectangle(box, { stroke: textColor, radius });
      else painter.rectangle(box, { fill: textColor });
    },
    true,
  );
}

function drawCheckbox(flow: Flow, isDone: boolean, x: number, top: number): void {
  const y = middleOfLine(top) - checkboxSize / 2;
  draw(
    flow,
    top + bodyStyle.size * lineHeight,
    (painter) => {
      const box = { x: x + 0.5, y: y + 0.5, width: checkboxSize - 1, height: checkboxSize - 1 };
      painter.rectangle(box, { stroke: theme.dimmed, radius: 2, ...(isDone && { fill: theme.line }) });
      if (!isDone) return;
      painter.line({ x: x + 3, y: y + 7 }, { x: x + 5.5, y: y + 9.5 }, textColor, 1.5);
      painter.line({ x: x + 5.5, y: y + 9.5 }, { x: x + 10, y: y + 4 }, textColor, 1.5);
    },
    true,
  );
}

/** Adds lines of code in a frame. Long ones are continued in the next, since nobody can scroll a picture. */
function addCode(flow: Flow, text: string, x: number, width: number): void {
  const style = codeStyle(bodyStyle);
  const height = bodyStyle.size * lineHeight;
  const top = take(flow, codePadding.y);
  const room = Math.max(1, width - 2 * codePadding.x);
  let left = linesLeft(flow, height);
  for (const line of text.split('\n', left)) {
    // Spaces are shown in code, and a line without anything has a height.
    const shown = linesOf(
      [{ text: line.replaceAll('\t', '    ').replaceAll(' ', '\u00a0'), style }],
      room,
      left,
    );
    addLines(
      flow,
      x + codePadding.x,
      shown.length === 0 ? [{ texts: [], width: 0 }] : shown,
      height,
      style.size,
    );
    left -= Math.max(1, shown.length);
    if (left <= 0) break;
  }
  const end = take(flow, codePadding.y) + codePadding.y;
  const box = { x: x + 0.5, y: top + 0.5, width: width - 1, height: end - top - 1 };
  draw(flow, top, (painter) => painter.rectangle(box, { stroke: theme.line, radius: 4 }));
}

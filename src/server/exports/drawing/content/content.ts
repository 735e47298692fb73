import { t } from '#shared/language/messages.ts';
import { lightTheme as theme, readableColor } from '#charts/drawing/palette.ts';
import { parseMarkdown } from '#charts/content/markdown.ts';
import { currentBranding } from '#shared/branding/branding.ts';
import type { Content, HeadingSize } from '#shared/content-widgets/content-widgets.ts';
import { safeHref } from '#shared/links.ts';
import { partsOf } from '#shared/content-widgets/references.ts';
import type { Box, Painter, TextStyle } from '../painter.ts';
import { noteLineHeight, noteStyle, textColor, textLineHeight, textStyle, titleStyle } from '../styles.ts';
import { truncate } from '../text.ts';
import { addLines, createFlow, linesLeft, take, type Flow } from './flow.ts';
import { drawImage } from './image.ts';
import { linesOf } from './lines.ts';
import { addBlocks, type Frame } from './markdown.ts';
import { textOfParts, type ValueOf } from './runs.ts';

/** Where the parts of a card are: ContentFrame.module.css. */
const padding = 13;
const titleHeight = 25;
const headingSizes: Readonly<Record<HeadingSize, number>> = { large: 24, medium: 20, small: 16.8 };
const headingLineHeight = 1.3;
const linkGap = 10;
const descriptionGap = 2;

const cutOffNote = t('The rest of this text is on the dashboard.');
const nothingToShow = t('This widget has nothing to show.');

/** Draws a widget without a report: headings and dividers as they are, everything else in a card. */
export function drawContent(
  painter: Painter,
  box: Box,
  content: Content | undefined,
  { valueOf, imageOf }: Pick<Frame, 'valueOf' | 'imageOf'>,
): void {
  if (content?.kind === 'divider') {
    const y = box.y + box.height / 2;
    painter.line({ x: box.x, y }, { x: box.x + box.width, y }, dividerColor);
  } else if (content?.kind === 'heading') drawHeading(painter, box, content, valueOf);
  else drawCard(painter, box, content, { valueOf, imageOf });
}

const dividerColor = '#adb5bd';

function drawHeading(
  painter: Painter,
  box: Box,
  { text, size: name }: Extract<Content, { kind: 'heading' }>,
  valueOf: ValueOf,
): void {
  const size = headingSizes[name];
  const style: TextStyle = { size, weight: 600, color: textColor };
  const height = size * headingLineHeight;
  const shown = textOfParts(partsOf(text), valueOf).replaceAll(/\s+/g, ' ');
  const lines = linesOf([{ text: shown, style }], box.width, Math.max(1, Math.floor(box.height / height)));
  const flow = createFlow(box.y + (box.height - lines.length * height) / 2, Infinity);
  addLines(flow, box.x, lines, height, size);
  for (const { draw } of flow.drawings) draw(painter);
}

function drawCard(
  painter: Painter,
  box: Box,
  content: Content | undefined,
  { valueOf, imageOf }: Pick<Frame, 'valueOf' | 'imageOf'>,
): void {
  const { x, y, width, height } = box;
  painter.rectangle(
    { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 },
    { fill: theme.surface, stroke: theme.line, radius: 8 },
  );
  const title = content !== undefined && 'title' in content ? content.title : undefined;
  const left = x + padding;
  const inner = width - 2 * padding;
  if (title !== undefined)
    painter.text(left, y + padding + 14.5, truncate(title, inner, titleStyle), titleStyle);
  const top = y + padding + (title === undefined ? 0 : titleHeight);
  const body = { x: left, y: top, width: inner, height: y + height - padding - top };
  if (body.width < 10 || body.height < 10) return;
  if (content?.kind === 'image') {
    // Without a title, it reaches to the border.
    const whole = { x: x + 1, y: y + 1, width: width - 2, height: height - 2 };
    if (drawImage(painter, title === undefined ? whole : body, content, { valueOf, imageOf })) return;
  }
  const flow = createFlow(body.y, body.y + body.height);
  const linkColor = readableColor(currentBranding().accentColor, theme);
  addContent(flow, body, content, { valueOf, imageOf, linkColor });
  drawFlow(painter, body, flow);
}

function addContent(flow: Flow, body: Box, content: Content | undefined, frame: Frame): void {
  if (content?.kind === 'text') {
    addBlocks(flow, parseMarkdown(content.text).blocks, body.x, body.width, frame);
  } else if (content?.kind === 'links') {
    addLinks(flow, body, content.links, frame);
  } else {
    const text = content?.kind === 'image' ? content.description : nothingToShow;
    addPlain(flow, body, text, { ...textStyle, color: theme.dimmed });
  }
}

function addLinks(
  flow: Flow,
  body: Box,
  links: Extract<Content, { kind: 'links' }>['links'],
  { linkColor }: Frame,
): void {
  for (const [index, { label, url, description }] of links.entries()) {
    if (index > 0) take(flow, linkGap);
    const href = safeHref(url);
    const style = { ...textStyle, color: linkColor };
    addPlain(flow, body, label, style, { isUnderlined: true, ...(href !== undefined && { href }) });
    if (description === undefined) continue;
    take(flow, descriptionGap);
    addPlain(flow, body, description, { ...textStyle, color: theme.dimmed });
  }
}

function addPlain(flow: Flow, body: Box, text: string, style: TextStyle, others: object = {}): void {
  const run = { ...others, text: text.replaceAll(/\s+/g, ' '), style };
  addLines(
    flow,
    body.x,
    linesOf([run], body.width, linesLeft(flow, textLineHeight)),
    textLineHeight,
    style.size,
  );
}

/** Draws what fits into a box. If something doesn't, a note takes the place of the last line. */
function drawFlow(painter: Painter, body: Box, flow: Flow): void {
  const isCut = flow.y > body.y + body.height + 1;
  const height = isCut ? body.height - noteLineHeight : body.height;
  if (height > 0) {
    painter.clip({ ...body, height }, () => {
      for (const { end, isText, draw } of flow.drawings)
        if (end <= body.y + height + 1 || !isText) draw(painter);
    });
  }
  if (isCut)
    painter.text(body.x, body.y + body.height - 4, truncate(cutOffNote, body.width, noteStyle), noteStyle);
}

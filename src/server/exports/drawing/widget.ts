import { t } from '#shared/language/messages.ts';
import { lightTheme as theme } from '#charts/drawing/palette.ts';
import type { ExportedWidget } from '../document/exported.ts';
import type { WidgetBody } from '../document/prepare.ts';
import { drawContent } from './content/content.ts';
import { drawChart } from './chart.ts';
import { drawNumber } from './number.ts';
import type { Box, Painter } from './painter.ts';
import { drawPivot } from './tables/pivot.ts';
import { drawTable } from './tables/table.ts';
import { drawNotes } from './notes.ts';
import { largeTextLineHeight, largeTextStyle, textLineHeight, textStyle, titleStyle } from './styles.ts';
import { truncate, wrap } from './text.ts';
import { fillText } from '#charts/text/fill-text.ts';

/** Where the parts of a widget are, as on the page. */
const border = 1;
const paddingX = 12;
const paddingTop = 10;
const paddingBottom = 12;
const headHeight = 28;
const bodyTop = 4;

/** Draws a widget: its border, its title, and what it shows. */
export function drawWidget(
  painter: Painter,
  box: Box,
  { title, line }: ExportedWidget,
  body: WidgetBody,
): void {
  if (body.kind === 'content') {
    drawContent(painter, box, body.content, body);
    return;
  }
  const { x, y, width, height } = box;
  painter.rectangle(
    { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 },
    { fill: theme.surface, stroke: theme.line, radius: 8 },
  );
  const left = x + border + paddingX;
  const inner = width - 2 * (border + paddingX);
  painter.text(
    left,
    y + border + paddingTop + headHeight / 2 + 5,
    truncate(title, inner, titleStyle),
    titleStyle,
  );
  const top = border + paddingTop + headHeight + bodyTop;
  const notes =
    body.kind !== 'table' && line?.result?.isCutOff === true ? [cutOffNote(line.result.rowCount)] : [];
  const whole = { x: left, y: y + top, width: inner, height: height - top - paddingBottom - border };
  const inside = drawNotes(painter, whole, notes);
  if (inside.width < 10 || inside.height < 10) return;
  painter.clip(inside, () => drawBody(painter, inside, body));
}

const cutOffNote = (rowCount: number): string =>
  t('Only the first {rowCount, plural, one {# row} other {# rows}} are shown.', { rowCount });

function drawBody(painter: Painter, box: Box, body: Exclude<WidgetBody, { kind: 'content' }>): void {
  switch (body.kind) {
    case 'message':
      return drawMessage(painter, box, body);
    case 'text':
      return drawLines(painter, box, fillText(body.visualization.text, body.result));
    case 'number':
      return drawNumber(painter, box, body.visualization, body.result);
    case 'pivot':
      return drawPivot(painter, box, body.pivot);
    case 'table':
      return drawTable(painter, box, body);
    case 'chart':
      return drawChart(painter, box, body.toChart());
  }
}

function drawMessage(
  painter: Painter,
  box: Box,
  { title, lines }: { readonly title?: string; readonly lines: readonly string[] },
): void {
  const maxLines = Math.max(1, Math.floor(box.height / textLineHeight));
  const head = title === undefined ? [] : wrap(title, box.width, titleStyle, maxLines);
  const others = wrap(lines.join('\n'), box.width, textStyle, Math.max(1, maxLines - head.length));
  for (const [index, text] of [...head, ...others].entries()) {
    const style = index < head.length ? titleStyle : { ...textStyle, color: theme.dimmed };
    painter.text(box.x, box.y + (index + 1) * textLineHeight - 6, text, style);
  }
}

function drawLines(painter: Painter, box: Box, text: string): void {
  const maxLines = Math.max(1, Math.floor(box.height / largeTextLineHeight));
  for (const [index, line] of wrap(text, box.width, largeTextStyle, maxLines).entries())
    painter.text(box.x, box.y + (index + 1) * largeTextLineHeight - 7, line, largeTextStyle);
}

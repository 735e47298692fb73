import type { EChartsOption, SeriesOption } from 'echarts';
import type { Chart, LegendItem } from '#charts/drawing/chart.ts';
import { seriesOf } from '#charts/drawing/parts.ts';
import { lightTheme as theme } from '#charts/drawing/palette.ts';
import { widthOf } from './fonts.ts';
import { drawPattern } from './legend-pattern.ts';
import type { Box, Painter } from './painter.ts';
import { drawable, truncate } from './text.ts';
import { drawNotes } from './notes.ts';
import { textColor } from './styles.ts';

/** The legend of the pages: ChartLegend.module.css. */
const font = { size: 12, weight: 400, color: textColor } as const;
const valueFont = { ...font, color: theme.dimmed } as const;
const mark = { width: 12, height: 8, gap: 6, radius: 2 };
const itemGap = 14;
const lineHeight = 24;
const maxLinesAbove = 2;
const maxHeightAbove = 50;
const besideGap = 12;

/** Draws a chart with its legend and its notes. */
export function drawChart(painter: Painter, box: Box, chart: Chart): void {
  const inside = drawNotes(painter, box, chart.notes);
  const { legend } = chart;
  const isBeside = legend?.isBeside === true && inside.width / inside.height >= 4 / 3;
  const left =
    legend === undefined
      ? inside
      : isBeside
        ? drawLegendBeside(painter, inside, legend.items)
        : drawLegendAbove(painter, inside, legend.items);
  if (left.width < 10 || left.height < 10) return;
  painter.chart(left, stillOption(chart));
}

const withoutSliders = ({ dataZoom: _, ...option }: EChartsOption): EChartsOption => option;

/** Returns the options without everything that only a reader at a screen needs. */
function stillOption(chart: Chart): EChartsOption {
  // All points of a series are drawn at once, not one part after another. Sound because all kinds of series have these members.
  const still = (series: SeriesOption) => ({ ...series, progressive: 0, animation: false }) as SeriesOption;
  // Without sliders, everything is shown.
  const { media = [] } = chart.option;
  return {
    ...withoutSliders(chart.option),
    media: media.map((one) =>
      'dataZoom' in one.option ? { ...one, option: { ...one.option, dataZoom: [] } } : one,
    ),
    animation: false,
    legend: { show: false },
    series: seriesOf(chart).map(still),
  };
}

const widthOfItem = ({ name, value }: LegendItem): number =>
  mark.width +
  mark.gap +
  widthOf(drawable(name), font) +
  (value === undefined ? 0 : mark.gap + widthOf(drawable(value), font));

function drawItem(
  painter: Painter,
  item: LegendItem,
  x: number,
  y: number,
  width: number,
  isBeside: boolean,
): void {
  const { name, value, color } = item;
  const middle = y + lineHeight / 2;
  painter.rectangle(
    { x, y: middle - mark.height / 2, width: mark.width, height: mark.height },
    { fill: color, radius: mark.radius },
  );
  const { pattern = 0 } = item;
  if (pattern > 0)
    drawPattern(painter, { x, y: middle - mark.height / 2, width: mark.width, height: mark.height }, pattern);
  const valueText = value === undefined ? '' : drawable(value);
  const valueWidth = value === undefined ? 0 : widthOf(valueText, font) + mark.gap;
  const start = x + mark.width + mark.gap;
  const nameText = truncate(name, width - mark.width - mark.gap - valueWidth, font);
  painter.text(start, middle + 4, nameText, font);
  if (value === undefined) return;
  const at = isBeside ? x + width - valueWidth + mark.gap : start + widthOf(nameText, font) + mark.gap;
  painter.text(at, middle + 4, valueText, valueFont);
}

/** Draws the legend above the chart, in up to two lines. Returns what is left of the box. */
function drawLegendAbove(painter: Painter, box: Box, items: readonly LegendItem[]): Box {
  let [x, line] = [0, 0];
  for (const [index, item] of items.entries()) {
    const width = Math.min(widthOfItem(item), box.width);
    if (x > 0 && x + width > box.width) [x, line] = [0, line + 1];
    const more = `+${items.length - index}`;
    const isLastLine = line === maxLinesAbove - 1;
    const leavesOut =
      index < items.length - 1 && isLastLine && x + width + widthOf(more, font) + 2 * itemGap > box.width;
    if (line >= maxLinesAbove || leavesOut) {
      painter.text(box.x + x, box.y + (maxLinesAbove - 0.5) * lineHeight + 4, more, valueFont);
      break;
    }
    drawItem(painter, item, box.x + x, box.y + line * lineHeight, width, false);
    x += width + itemGap;
  }
  const height = Math.min((Math.min(line, maxLinesAbove - 1) + 1) * lineHeight + 4, maxHeightAbove);
  return { ...box, y: box.y + height, height: box.height - height };
}

/** Draws the legend to the right of the chart, an item on each line. Returns what is left of the box. */
function drawLegendBeside(painter: Painter, box: Box, items: readonly LegendItem[]): Box {
  const maxItems = Math.max(1, Math.floor(box.height / lineHeight));
  const shown = items.length <= maxItems ? items : items.slice(0, maxItems - 1);
  const widest = items.reduce((width, item) => Math.max(width, widthOfItem(item)), 0);
  const width = Math.min(widest, box.width * (box.width <= 420 ? 0.58 : 0.42));
  const lines = Math.min(items.length, maxItems);
  const x = box.x + box.width - width;
  const top = box.y + (box.height - lines * lineHeight) / 2;
  for (const [index, item] of shown.entries())
    drawItem(painter, item, x, top + index * lineHeight, width, true);
  if (shown.length < items.length)
    painter.text(x, top + (lines - 0.5) * lineHeight + 4, `+${items.length - shown.length}`, valueFont);
  return { ...box, width: box.width - width - besideGap };
}

import type { EChartsOption } from 'echarts';
import { partIndexOf } from '#charts/drawing/graph-parts.ts';
import type { ChartTheme } from '#charts/drawing/palette.ts';
import type { Tooltip, TooltipContent } from '#charts/drawing/chart.ts';
import { t } from '#shared/language/messages.ts';

/** People don't read more values than this. */
const maxLines = 12;

/** Returns the option of a tooltip. Its content is only text, never HTML, because names and values come from people and data. */
export function tooltipOption(
  theme: ChartTheme,
  { trigger, contentOf }: Tooltip,
): NonNullable<EChartsOption['tooltip']> {
  return {
    trigger,
    confine: true,
    transitionDuration: 0,
    backgroundColor: theme.surface,
    borderColor: theme.line,
    textStyle: { color: theme.text, fontSize: 12, fontFamily: theme.fontFamily },
    axisPointer: { type: 'line', lineStyle: { color: theme.dimmed }, shadowStyle: { opacity: 0.12 } },
    formatter: (pointed) => {
      const parts = (Array.isArray(pointed) ? pointed : [pointed]).flatMap(({ seriesIndex, ...part }) =>
        seriesIndex === undefined ? [] : [{ seriesIndex, dataIndex: partIndexOf(part) }],
      );
      const content = contentOf(parts);
      return content === undefined ? '' : tooltipElement(content);
    },
  };
}

function tooltipElement({ title, lines }: TooltipContent): HTMLElement {
  const element = document.createElement('div');
  append(element, 'div', title).style.fontWeight = '600';
  for (const { label, value, color } of lines.slice(0, maxLines)) {
    const line = append(element, 'div', '');
    Object.assign(line.style, { display: 'flex', gap: '8px', alignItems: 'center' });
    if (color !== undefined) {
      const mark = append(line, 'span', '');
      Object.assign(mark.style, { width: '8px', height: '8px', borderRadius: '2px', background: color });
    }
    Object.assign(append(line, 'span', label).style, { flex: '1', maxWidth: '220px', ...ellipsis });
    append(line, 'span', value).style.fontWeight = '500';
  }
  if (lines.length > maxLines)
    append(element, 'div', t('and {count} more', { count: lines.length - maxLines }));
  return element;
}

const ellipsis = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' };

function append(parent: HTMLElement, name: 'div' | 'span', text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  parent.append(element);
  return element;
}

import type { CalendarComponentOption, HeatmapSeriesOption } from 'echarts';
import type { Chart } from '../drawing/chart.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { mixColors } from '#shared/branding/contrast.ts';
import { weekdayOf } from '#shared/dates/days.ts';
import { currentCalendar } from '#shared/region/calendar.ts';
import { dateFormat } from '#shared/region/intl.ts';
import { t } from '#shared/language/messages.ts';
import { colorAt, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter } from '../values/formats.ts';
import { extentOf, findColumn, type ResultRows } from '../values/result-values.ts';
import { daysOf, type Day } from './days.ts';

/** More years than this don't fit below each other. */
const maxYears = 5;

/** Returns a calendar with a cell for each day, colored by the sum of its values; a block of weeks for each year. */
export function calendarChart(
  visualization: OfKind<'calendar'>,
  result: ResultRows,
  theme: ChartTheme,
): Chart {
  const date = findColumn(result, visualization.date);
  const measure = findColumn(result, visualization.value);
  if (date === undefined || measure === undefined) return emptyChart;
  const all = daysOf(result, date, measure);
  const byYear = [...Map.groupBy(all, (day) => day.date.slice(0, 4))];
  const years = byYear.slice(-maxYears);
  if (years.length === 0) return emptyChart;
  const format = createFormatter(measure, visualization.format);
  const extent = extentOf(years.flatMap(([, days]) => days.map(({ value }) => value)));
  const full = colorAt(theme, 0);
  const dayAt = (seriesIndex: number, dataIndex: number): Day | undefined =>
    years[seriesIndex]?.[1][dataIndex];
  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const day = part && dayAt(part.seriesIndex, part.dataIndex);
        if (day === undefined) return undefined;
        const lines = [{ label: measure.name, value: format(day.sum) }];
        return { title: longDay(day.date), lines };
      },
    },
    option: {
      ...frameOption(theme),
      calendar: years.map(([year], index) => calendarOf(year, index, years.length, theme)),
      visualMap: {
        type: 'continuous',
        orient: 'horizontal',
        left: 'center',
        bottom: 0,
        itemWidth: 10,
        itemHeight: 90,
        textStyle: { color: theme.dimmed },
        min: extent?.min ?? 0,
        max: extent?.max ?? 1,
        text: extent === undefined ? [] : [format(extent.max), format(extent.min)],
        inRange: { color: [0.85, 0.5, 0].map((share) => mixColors(full, theme.surface, share)) },
      },
      series: years.map(([, days], index): HeatmapSeriesOption => ({
        type: 'heatmap',
        coordinateSystem: 'calendar',
        calendarIndex: index,
        animation: false,
        data: days.map((day) => [day.date, day.value]),
      })),
    },
    markAt: (seriesIndex, dataIndex) => {
      const day = dayAt(seriesIndex, dataIndex);
      const [row] = day?.rows ?? [];
      if (day === undefined || row === undefined) return undefined;
      const mark = markOfRow([date], [measure], row);
      if (day.rows.length === 1) return mark;
      return { ...mark, rows: day.rows, name: `${longDay(day.date)} · ${format(day.sum)}` };
    },
    notes:
      byYear.length > maxYears
        ? [t('Showing the last {maxYears} of {count} years with values.', { maxYears, count: byYear.length })]
        : [],
  };
}

/** Dates without a zone are formatted in UTC. */
const longDay = (date: string): string =>
  dateFormat({ dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(date));

/** Returns the weeks of a year in columns, below those of the years before. */
const calendarOf = (
  year: string,
  index: number,
  count: number,
  theme: ChartTheme,
): CalendarComponentOption => {
  // The space for the color scale is below the last year.
  const shareOf = (part: number) => `${((part / count) * 88).toFixed(2)}%`;
  return {
    range: year,
    left: 62,
    right: 8,
    top: `${(Number.parseFloat(shareOf(index)) + 18 / count ** 0.7).toFixed(2)}%`,
    height: `${((88 / count) * 0.68).toFixed(2)}%`,
    cellSize: ['auto', 'auto'],
    itemStyle: { color: theme.surface, borderColor: theme.line, borderWidth: 0.5 },
    splitLine: { lineStyle: { color: theme.dimmed, width: 1 } },
    yearLabel: { color: theme.dimmed, fontSize: 12, margin: 34 },
    monthLabel: { color: theme.dimmed, fontSize: 10, nameMap: monthNames() },
    dayLabel: {
      color: theme.dimmed,
      fontSize: 9,
      firstDay: weekdayOf[currentCalendar().weekStart],
      nameMap: weekdayNames(),
    },
  };
};

const monthNames = (): string[] => {
  const write = dateFormat({ month: 'short', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => write.format(Date.UTC(2026, month, 1)));
};

/** The names from Sunday on; every other one is empty, since they would overlap. */
const weekdayNames = (): string[] => {
  const write = dateFormat({ weekday: 'short', timeZone: 'UTC' });
  // 4 January 2026 is a Sunday.
  return Array.from({ length: 7 }, (_, day) =>
    day % 2 === 1 ? write.format(Date.UTC(2026, 0, 4 + day)) : '',
  );
};

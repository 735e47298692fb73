import type { RuleCondition } from '#shared/visualizations/rules.ts';
import { mixColors } from '#shared/branding/contrast.ts';
import { resolveColor, textColorOn, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { extentOf, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';

type ColumnSettings = NonNullable<OfKind<'table'>['columns']>[number];
type Rule = NonNullable<ColumnSettings['rules']>[number];

/** The colors of a cell, of which the text is readable on the background. */
export interface CellColors {
  readonly background: string;
  readonly text: string;
}

/** Returns a function that returns the colors of a cell by its value; undefined if it looks as usual. Rules come before the scale. */
export function cellColors(
  { rules = [], colorScale }: Pick<ColumnSettings, 'rules' | 'colorScale'>,
  column: ResultColumn,
  rows: ResultRows['rows'],
): ((value: unknown, theme: ChartTheme) => CellColors | undefined) | undefined {
  if (rules.length === 0 && colorScale === undefined) return undefined;
  const matchers = rules.map((rule) => ({ color: rule.color, matches: matcherOf(rule) }));
  const shareOf = colorScale && scaleOf(colorScale, column, rows);
  return (value, theme) => {
    const rule = matchers.find(({ matches }) => matches(value));
    if (rule !== undefined) return onBackground(tintOf(resolveColor(rule.color, theme), theme), theme);
    const share = shareOf?.(value);
    if (colorScale === undefined || share === undefined) return undefined;
    return onBackground(colorAtShare(colorScale, share, theme), theme);
  };
}

const onBackground = (background: string, theme: ChartTheme): CellColors => ({
  background,
  text: textColorOn(background, theme),
});

/** Rules have a light background, so that a table of many colored cells is still calm. */
const tintOf = (color: string, theme: ChartTheme): string => mixColors(color, theme.surface, 0.7);

function matcherOf({ when, value = '' }: Rule): (value: unknown) => boolean {
  const limit = toNumber(value);
  const text = value.toLowerCase();
  const byNumber = (matches: (number: number, limit: number) => boolean) => (cell: unknown) => {
    const number = toNumber(cell);
    return number !== undefined && limit !== undefined && matches(number, limit);
  };
  const isEqual = (cell: unknown): boolean => {
    const number = toNumber(cell);
    if (number !== undefined && limit !== undefined) return number === limit;
    return !isEmpty(cell) && textOf(cell).toLowerCase() === text;
  };
  const matchers: Readonly<Record<RuleCondition, (cell: unknown) => boolean>> = {
    above: byNumber((number, limit) => number > limit),
    atLeast: byNumber((number, limit) => number >= limit),
    below: byNumber((number, limit) => number < limit),
    atMost: byNumber((number, limit) => number <= limit),
    equals: isEqual,
    differs: (cell) => !isEqual(cell),
    contains: (cell) => text !== '' && !isEmpty(cell) && textOf(cell).toLowerCase().includes(text),
    isEmpty,
    isNotEmpty: (cell) => !isEmpty(cell),
  };
  return matchers[when];
}

const isEmpty = (cell: unknown): boolean => cell === null || cell === undefined || cell === '';

const textOf = (cell: unknown): string => (typeof cell === 'string' ? cell : (JSON.stringify(cell) ?? ''));

type ColorScale = NonNullable<ColumnSettings['colorScale']>;

/** Returns a function that places a value on a scale from 0 to 1; undefined if it is no number. */
function scaleOf(
  { min, max }: ColorScale,
  column: ResultColumn,
  rows: ResultRows['rows'],
): (value: unknown) => number | undefined {
  const extent = extentOf(rows.map((row) => toNumber(row[column.index])));
  const low = min ?? extent?.min ?? 0;
  const high = max ?? extent?.max ?? 1;
  // Halves, since the difference of huge numbers is infinite.
  const span = high / 2 - low / 2;
  return (value) => {
    const number = toNumber(value);
    if (number === undefined) return undefined;
    return span <= 0 ? 1 : Math.min(Math.max((number / 2 - low / 2) / span, 0), 1);
  };
}

function colorAtShare({ low, middle, high }: ColorScale, share: number, theme: ChartTheme): string {
  const end = resolveColor(high, theme);
  const start = low === undefined ? mixColors(end, theme.surface, 0.92) : resolveColor(low, theme);
  if (middle === undefined) return mixColors(start, end, share);
  const center = resolveColor(middle, theme);
  return share < 0.5 ? mixColors(start, center, share * 2) : mixColors(center, end, share * 2 - 1);
}

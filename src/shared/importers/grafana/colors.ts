import { fieldsIn, numberIn, objectsIn, textIn, type Fields } from '../values.ts';

/** The middle shade of each color of Grafana; light and dark shades become the same. */
const colors: Readonly<Record<string, string>> = {
  green: '#73bf69',
  red: '#f2495c',
  yellow: '#fade2a',
  orange: '#ff9830',
  blue: '#5794f2',
  purple: '#b877d9',
  white: '#ffffff',
  black: '#000000',
  gray: '#808080',
  grey: '#808080',
};

/** Returns a color of Grafana as `#rrggbb`; undefined if it isn't known. */
function colorOf(text: string): string | undefined {
  const name = text.replace(/^(?:super-|semi-)?(?:light|dark)-/, '').toLowerCase();
  if (Object.hasOwn(colors, name)) return colors[name];
  if (/^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/i.test(text)) return text.slice(0, 7).toLowerCase();
  if (/^#[0-9a-f]{3}$/i.test(text)) return text.replaceAll(/[0-9a-f]/gi, '$&$&').toLowerCase();
  const parts = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*[,)]/.exec(text.slice(0, 100));
  if (parts === null) return undefined;
  return `#${parts
    .slice(1, 4)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')}`;
}

/** Returns the thresholds of a panel, with numbers in place of percentages if its ends are known. */
export function thresholdsOf(defaults: Fields): { from: number; color: string }[] | undefined {
  const thresholds = fieldsIn(defaults, 'thresholds');
  const min = numberIn(defaults, 'min');
  const max = numberIn(defaults, 'max');
  const isPercentage = textIn(thresholds, 'mode') === 'percentage';
  if (isPercentage && (min === undefined || max === undefined)) return undefined;
  const steps = objectsIn(thresholds, 'steps').flatMap((step) => {
    const color = colorOf(textIn(step, 'color') ?? '');
    const value = numberIn(step, 'value');
    return color === undefined ? [] : [{ value, color }];
  });
  // A single color for every value is not a threshold.
  if (steps.length < 2) return [];
  const scaled = steps.map(({ value, color }) => ({
    from:
      value === undefined
        ? (min ?? Math.min(0, ...steps.map((step) => step.value ?? 0)))
        : isPercentage
          ? (min ?? 0) + (((max ?? 0) - (min ?? 0)) * value) / 100
          : value,
    color,
  }));
  return scaled.toSorted((one, other) => one.from - other.from).slice(0, 20);
}

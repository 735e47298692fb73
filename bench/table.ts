import type { Measurement } from './load/generator.ts';
import { isReached, median, type Goal, type Section } from './section.ts';

/** Returns a section as text: its title, its table, its goals. */
export function formatSection({ title, rows, goals }: Section): string {
  return [title, '', formatTable(rows), '', ...goals.map(formatGoal)].join('\n').trimEnd();
}

/**
 * Returns the columns of every row of measurements: medians of the rounds, and the memory after the last
 * one.
 */
export function speedColumns(measurements: readonly Measurement[]): Record<string, string> {
  return {
    'requests/s': formatCount(median(measurements.map(({ requestsPerSecond }) => requestsPerSecond))),
    'p50 ms': median(measurements.map(({ latencyMs }) => latencyMs.p50)).toFixed(2),
    'p99 ms': median(measurements.map(({ latencyMs }) => latencyMs.p99)).toFixed(2),
    'resident MB': formatMegabytes(measurements.at(-1)?.residentBytes ?? NaN),
    ...processorColumn(measurements),
    'generator busy': `${Math.round(100 * median(measurements.map(({ generatorBusy }) => generatorBusy)))} %`,
  };
}

/** The server's processor time per request, which other programs affect less than its speed. */
function processorColumn(measurements: readonly Measurement[]): Record<string, string> {
  const timesUs = measurements.flatMap(({ processorUs }) => processorUs ?? []);
  return timesUs.length === 0 ? {} : { 'CPU µs': median(timesUs).toFixed(0) };
}

/** Returns the median of some ratios with their range, such as `0.41 (0.39 to 0.44)`. */
export function formatRatios(ratios: readonly number[]): string {
  const [middle, least, most] = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
  return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');

const formatMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(0);

function formatTable(rows: Section['rows']): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: string[]) =>
    line
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return lines.map((line) => `  ${format(line)}`).join('\n');
}

function formatGoal(goal: Goal): string {
  const { what, value, unit, bound } = goal;
  const [words, limit] = 'atLeast' in bound ? ['at least', bound.atLeast] : ['at most', bound.atMost];
  const format = (amount: number) => (unit === '' ? amount.toFixed(2) : `${Math.round(amount)} ${unit}`);
  const mark = isReached(goal) ? '✔ reached' : '✖ missed ';
  return `  ${mark}  ${what}: ${format(value)}, goal ${words} ${format(limit)}`;
}

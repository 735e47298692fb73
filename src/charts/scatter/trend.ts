import { dayMs } from '#shared/dates/days.ts';
import { currentFormatter } from '../values/formats.ts';
import { t } from '#shared/language/messages.ts';

/** A straight line fitted to points by least squares. */
export interface Trend {
  readonly slope: number;
  readonly intercept: number;
  /** How much of the variance of y the line explains, from 0 to 1; undefined if y doesn't vary. */
  readonly rSquared: number | undefined;
  /** The ends of the line, at the smallest and the largest x. */
  readonly start: readonly [number, number];
  readonly end: readonly [number, number];
}

/** Returns the trend of points; undefined if all are at the same x, or if the numbers are too large to compute it. */
export function trendOf(points: readonly { readonly x: number; readonly y: number }[]): Trend | undefined {
  const count = points.length;
  let [meanX, meanY, min, max] = [0, 0, Infinity, -Infinity];
  for (const { x, y } of points) {
    meanX += x / count;
    meanY += y / count;
    min = Math.min(min, x);
    max = Math.max(max, x);
  }
  // Sums of differences from the means, since those of large numbers such as times would lose digits.
  let [sumXX, sumXY, sumYY] = [0, 0, 0];
  for (const { x, y } of points) {
    sumXX += (x - meanX) ** 2;
    sumXY += (x - meanX) * (y - meanY);
    sumYY += (y - meanY) ** 2;
  }
  const slope = sumXY / sumXX;
  const at = (x: number): number => meanY + slope * (x - meanX);
  const intercept = at(0);
  const rSquared = sumYY === 0 ? undefined : (sumXY / sumXX) * (sumXY / sumYY);
  const isFinite = [slope, intercept, rSquared ?? 0, at(min), at(max)].every(Number.isFinite);
  return isFinite && min < max
    ? { slope, intercept, rSquared, start: [min, at(min)], end: [max, at(max)] }
    : undefined;
}

/** Returns the equation of a trend. Over time, it is the change in a day, since the time at zero means nothing to readers. */
export function trendText({ slope, intercept, rSquared }: Trend, isOverTime: boolean): string {
  const fit = rSquared === undefined ? '' : ` (R² = ${share(rSquared)})`;
  if (isOverTime) return t('Trend: {slope} per day{fit}', { slope: write(slope * dayMs), fit });
  const sign = intercept < 0 ? '−' : '+';
  return t('Trend: y = {slope}x {sign} {intercept}{fit}', {
    slope: write(slope),
    sign,
    intercept: write(Math.abs(intercept)),
    fit,
  });
}

const write = currentFormatter({ type: 'double' });
const share = currentFormatter({ type: 'double' }, { kind: 'number', decimals: 2 });

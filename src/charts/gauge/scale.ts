/** Where the scale of a gauge starts and ends. */
export interface GaugeScale {
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the scale of a gauge: as configured, or else from 0 to a round number above the value, the target and the last
 * threshold. It starts below 0 only for negative values.
 */
export function gaugeScale(
  configured: { readonly min?: number; readonly max?: number },
  shown: readonly (number | undefined)[],
): GaugeScale {
  const numbers = shown.filter((value) => value !== undefined);
  const least = Math.min(0, ...numbers);
  const most = Math.max(0, ...numbers);
  const min = configured.min ?? (least < 0 ? -roundUp(-least) : 0);
  const max = configured.max ?? (most > 0 ? roundUp(most) : least < 0 ? 0 : 1);
  return min < max ? { min, max } : { min, max: min + Math.max(Math.abs(min), 1) };
}

/** Returns the next round number that isn't below `value`: 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((one) => one * power >= value) ?? 10;
  return Number((factor * power).toPrecision(12));
}

const units: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  y: 31_536_000,
};

/** Returns an interval such as `5m` in seconds. */
export function secondsOf(interval: string): number | undefined {
  const match = /^\s*(\d{1,9})\s*(ms|[smhdwMy])\s*$/.exec(interval);
  const unit = units[match?.[2] ?? ''];
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit;
}

/** Returns how many seconds before now a time such as `now-6h` is. */
const secondsAgo = (time: string | undefined): number | undefined =>
  time?.startsWith('now-') === true ? secondsOf(time.slice(4).replace(/\/[a-zA-Z]+$/, '')) : undefined;

const steps = [10, 30, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000];

/** Returns the interval that replaces the one that Grafana computes: about 200 in the range of the dashboard. */
export function fixedInterval(from: string | undefined): number {
  const seconds = secondsAgo(from) ?? 21_600;
  return steps.find((step) => step >= seconds / 200) ?? 2_592_000;
}

/** Returns an interval in Grafana's words, such as `5m`. */
export function intervalText(seconds: number): string {
  for (const unit of ['d', 'h', 'm'] as const) {
    const size = units[unit] ?? 1;
    if (seconds % size === 0) return `${seconds / size}${unit}`;
  }
  return `${seconds}s`;
}

/** Returns the default of the filter for the range of dates, and whether it is the same range. */
export function rangeOf(
  from: string | undefined,
  to: string | undefined,
): { readonly value: string; readonly isSame: boolean } | undefined {
  if (from === undefined) return undefined;
  const date = /^(\d{4}-\d\d-\d\d)/;
  const [start, end] = [date.exec(from)?.[1], date.exec(to ?? '')?.[1]];
  if (start !== undefined && end !== undefined) return { value: `${start}..${end}`, isSame: false };
  const period = /^now\/([dwMy])$/.exec(from)?.[1] as keyof typeof periods | undefined;
  if (period !== undefined) return { value: periods[period], isSame: true };
  const match = /^now-(\d{1,4})([smhdwMy])(?:\/[dwMy])?$/.exec(from);
  if (match === null) return undefined;
  const count = Number(match[1]);
  switch (match[2]) {
    case 'y':
      return { value: `last-${count}-years-to-now`, isSame: false };
    case 'M':
      return { value: `last-${count}-months-to-now`, isSame: false };
    default: {
      const days = Math.ceil((secondsOf(`${match[1]}${match[2]}`) ?? 0) / 86_400);
      const isWhole = match[2] === 'd' || match[2] === 'w';
      return { value: days <= 1 && !isWhole ? 'today' : `last-${days}-days-to-now`, isSame: false };
    }
  }
}

const periods = { d: 'today', w: 'this-week', M: 'this-month', y: 'this-year' } as const;

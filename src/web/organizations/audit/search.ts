/** The filters in the URL of the audit log. */
export interface AuditSearch {
  /** The first day, such as `2026-11-21`, in the reader's time zone. */
  readonly from?: string;
  /** The last day. */
  readonly to?: string;
  readonly actorId?: string;
  readonly action?: string;
}

/** Reads the query string; values that are not valid are left out. */
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch => ({
  ...dayOf('from', search),
  ...dayOf('to', search),
  ...textOf('actorId', search),
  ...textOf('action', search),
});

const dayOf = (name: string, search: Readonly<Record<string, unknown>>): object =>
  toMidnight(search[name]) === undefined ? {} : { [name]: search[name] };

const textOf = (name: string, search: Readonly<Record<string, unknown>>): object =>
  typeof search[name] === 'string' && search[name] !== '' ? { [name]: search[name].slice(0, 200) } : {};

/** Returns the query for the API. Days are whole days in the reader's time zone, including the last one. */
export function toAuditQuery({ from, to, actorId, action }: AuditSearch): Record<string, string> {
  const first = toMidnight(from);
  const last = toMidnight(to, 1);
  return {
    ...(first !== undefined && { from: first.toISOString() }),
    ...(last !== undefined && { to: last.toISOString() }),
    ...(actorId !== undefined && { actorId }),
    ...(action !== undefined && { action }),
  };
}

function toMidnight(day: unknown, plusDays = 0): Date | undefined {
  const [, year, month, date] = (typeof day === 'string' && /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)) || [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const midnight = new Date(Number(year), Number(month) - 1, Number(date));
  if (midnight.getMonth() !== Number(month) - 1 || Number(year) < 1000) return undefined;
  midnight.setDate(midnight.getDate() + plusDays);
  return midnight;
}

import { setImmediate } from 'node:timers/promises';
import { badRequest } from './errors.ts';

/** The part of a list that is returned (RFC 7644, section 3.4.2.4). */
export interface Range {
  /** 1 for the first one. */
  readonly startIndex: number;
  readonly count: number;
}

export interface Listed<Item> {
  readonly total: number;
  readonly items: Item[];
}

const defaultCount = 100;
export const maxCount = 500;
const chunkSize = 500;

/** Reads `startIndex` and `count`. What is too small or too large becomes the nearest possible value. */
export function readRange({
  startIndex,
  count,
}: {
  readonly startIndex?: string;
  readonly count?: string;
}): Range {
  return {
    startIndex: Math.max(1, readNumber('startIndex', startIndex) ?? 1),
    count: Math.min(maxCount, Math.max(0, readNumber('count', count) ?? defaultCount)),
  };
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^-?[0-9]{1,9}$/.test(text)) return Number(text);
  throw badRequest('invalidValue', `${name} must be a number.`);
}

/** Returns the part of a list, reading a limited number at once, so that others get their turn. */
export async function findInChunks<Item>(
  ids: readonly string[],
  { startIndex, count }: Range,
  read: (ids: readonly string[]) => Promise<Item[]>,
  isMatch: ((item: Item) => boolean) | undefined,
): Promise<Listed<Item>> {
  const from = startIndex - 1;
  if (isMatch === undefined) {
    const items = count === 0 ? [] : await read(ids.slice(from, from + count));
    return { total: ids.length, items };
  }
  const items: Item[] = [];
  let total = 0;
  for (let index = 0; index < ids.length; index += chunkSize) {
    if (index > 0) await setImmediate();
    for (const item of await read(ids.slice(index, index + chunkSize))) {
      if (!isMatch(item)) continue;
      total += 1;
      if (total > from && items.length < count) items.push(item);
    }
  }
  return { total, items };
}

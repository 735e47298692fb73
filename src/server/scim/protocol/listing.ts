import type { LimitKey } from '../../base/tenant.ts';
import { nextTurn } from '../../base/turns.ts';
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
/** So few that turning a page of the largest people into JSON doesn't keep others waiting. */
export const maxCount = 200;
/** So few that even large resources don't keep others waiting. */
const chunkSize = 100;

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
  key: LimitKey,
  ids: readonly string[],
  { startIndex, count }: Range,
  read: (ids: readonly string[]) => Promise<Item[]>,
  isMatch: ((item: Item) => boolean) | undefined,
): Promise<Listed<Item>> {
  const from = startIndex - 1;
  if (isMatch === undefined) {
    const items: Item[] = [];
    for await (const chunk of readChunks(key, ids.slice(from, from + count), read)) items.push(...chunk);
    return { total: ids.length, items };
  }
  const items: Item[] = [];
  let total = 0;
  for await (const chunk of readChunks(key, ids, read)) {
    for (const item of chunk) {
      if (!isMatch(item)) continue;
      total += 1;
      if (total > from && items.length < count) items.push(item);
    }
  }
  return { total, items };
}

async function* readChunks<Item>(
  key: LimitKey,
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for (let index = 0; index < ids.length; index += chunkSize) {
    if (index > 0) await nextTurn(key);
    yield await read(ids.slice(index, index + chunkSize));
  }
}

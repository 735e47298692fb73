import type { Claims } from './claims.ts';

/** No meaningful claim is nested deeper, and a very deep one could not be written as JSON. */
const maxDepth = 10;

/** Returns the claims without the parts that are nested too deeply to be stored. */
export const shallowClaims = (claims: Claims): Record<string, unknown> => shallowParts(claims, 1);

function shallow(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level > maxDepth) return '…';
  return Array.isArray(value)
    ? value.map((element) => shallow(element, level + 1))
    : shallowParts({ ...value }, level + 1);
}

const shallowParts = (parts: Claims, level: number): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shallow(part, level)]));

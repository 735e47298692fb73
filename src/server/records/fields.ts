import { isDeepStrictEqual } from 'node:util';
import type { MergeConflict } from '#contract/history.ts';
import type { ContentKind } from './versions/history.ts';

/** Whether two values are the same JSON, regardless of the order of an object's members. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  return JSON.stringify(one) === JSON.stringify(other) || isDeepStrictEqual(one, other);
};

/** The fields that differ, with their values in the other content; null if it doesn't have the field. */
type FieldsDelta = Readonly<Record<string, unknown>>;

/** Returns a kind of content that is stored and merged field by field. */
export function contentOfFields<Content extends object>(
  names: readonly (keyof Content & string)[],
): ContentKind<Content> {
  const differing = (one: Content, other: Content) =>
    names.filter((name) => !isSameJson(one[name], other[name]));
  return {
    deltaBetween: (from, to) =>
      Object.fromEntries(differing(from, to).map((name) => [name, to[name] ?? null])),
    applyDelta(from, delta) {
      // Sound because `deltaBetween` made it.
      const changed = Object.entries({ ...from, ...(delta as FieldsDelta) });
      return Object.fromEntries(changed.filter(([, value]) => value !== null)) as Content;
    },
    isSame: (one, other) => differing(one, other).length === 0,
    merge(base, mine, theirs) {
      const changedByMe = differing(base, mine).filter((name) => isSameJson(base[name], theirs[name]));
      const taken = changedByMe.map((name) => [name, mine[name]] as const);
      const merged = Object.fromEntries(
        Object.entries({ ...theirs, ...Object.fromEntries(taken) }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      const both = differing(base, mine).filter(
        (name) => !isSameJson(base[name], theirs[name]) && !isSameJson(mine[name], theirs[name]),
      );
      // Sound because each field comes from one of the contents.
      return {
        merged: merged as Content,
        conflicts: both.map((name) => conflictOf(name, base, mine, theirs)),
      };
    },
  };
}

function conflictOf<Content extends object>(
  name: keyof Content & string,
  base: Content,
  mine: Content,
  theirs: Content,
): MergeConflict {
  const [before, one, other] = [base[name], mine[name], theirs[name]];
  return {
    pointer: `/${name}`,
    ...(before !== undefined && { base: before }),
    ...(one !== undefined && { mine: one }),
    ...(other !== undefined && { theirs: other }),
  };
}

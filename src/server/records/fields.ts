import { isDeepStrictEqual } from 'node:util';
import type { ContentChange, MergeConflict } from '#contract/records/history.ts';
import type { ContentKind } from './versions/history.ts';

/** Whether two values are the same JSON, regardless of the order of an object's members. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  return JSON.stringify(one) === JSON.stringify(other) || isDeepStrictEqual(one, other);
};

/** The fields that differ, with their values in the other content; null if it doesn't have the field. */
type FieldsDelta = Readonly<Record<string, unknown>>;

/**
 * Returns a kind of content that is stored and merged field by field. `findTied` returns the fields that only fit together in
 * the contents of a merge: they are all taken from the same side.
 */
export function contentOfFields<Content extends object>(
  names: readonly (keyof Content & string)[],
  findTied: (contents: readonly Content[]) => readonly (keyof Content & string)[] = () => [],
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
      const tied = findTied([base, mine, theirs]);
      const withTied = (changed: readonly (keyof Content & string)[]) =>
        new Set(changed.some((name) => tied.includes(name)) ? [...changed, ...tied] : changed);
      const changedByMe = withTied(differing(base, mine));
      const changedByThem = withTied(differing(base, theirs));
      const taken = [...changedByMe.difference(changedByThem)].map((name) => [name, mine[name]] as const);
      const merged = Object.fromEntries(
        Object.entries({ ...theirs, ...Object.fromEntries(taken) }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      const both = differing(mine, theirs).filter((name) => changedByMe.has(name) && changedByThem.has(name));
      // Sound because each field comes from one of the contents.
      return {
        merged: merged as Content,
        conflicts: both.map((name) => conflictOf(`/${name}`, base[name], mine[name], theirs[name])),
      };
    },
  };
}

/** Returns a conflict. A value that is absent on a side was removed there or never existed. */
export const conflictOf = (
  pointer: string,
  base: unknown,
  mine: unknown,
  theirs: unknown,
): MergeConflict => ({
  pointer,
  ...(base !== undefined && { base }),
  ...(mine !== undefined && { mine }),
  ...(theirs !== undefined && { theirs }),
});

/** Describes a field that differs in two contents; `name` starts a sentence. */
export function describeField(field: string, name: string, before: unknown, after: unknown): ContentChange {
  const pointer = `/${field}`;
  if (before === undefined) return { kind: 'added', pointer, summary: `${name} added.`, after };
  if (after === undefined) return { kind: 'removed', pointer, summary: `${name} removed.`, before };
  return { kind: 'changed', pointer, summary: `${name} changed.`, before, after };
}

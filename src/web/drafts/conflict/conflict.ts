import type { MergeConflict } from '#contract/history.ts';
import { ApiProblem } from '../../app/api.ts';

/** An edit that the server couldn't merge, because others have changed the same parts. */
export interface EditConflict<Edit> {
  /** The version to save the merged edit over. */
  readonly etag: string;
  /** Both edits merged, with the others' changes where they conflict. */
  readonly merged: Edit;
  readonly conflicts: readonly MergeConflict[];
}

/** Returns the conflict in an error, or undefined for any other error. */
export const conflictIn = <Edit>(error: unknown): EditConflict<Edit> | undefined =>
  error instanceof ApiProblem && error.code === 'edit_conflict'
    ? // Sound because the contract gives a problem of this code these members.
      (error.problem as unknown as EditConflict<Edit>)
    : undefined;

export type Side = 'mine' | 'theirs' | 'both';

/** The side chosen for each item, by its key. */
export type Choices = ReadonlyMap<string, Side>;

/** One difference: the value before both edits, and each side's value, in words. */
export interface Difference {
  readonly label: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Conflicts that are decided together. */
export interface ConflictItem {
  readonly key: string;
  readonly title: string;
  readonly differences: readonly Difference[];
  /** What choosing both does; undefined where only one side can be chosen. */
  readonly both?: string;
}

/** Returns what `read` makes of each side's value. */
export const onEachSide = <Found>(
  { base, mine, theirs }: MergeConflict,
  read: (value: unknown) => Found,
): { readonly base: Found; readonly mine: Found; readonly theirs: Found } => ({
  base: read(base),
  mine: read(mine),
  theirs: read(theirs),
});

/** A value of an edit, for people to compare. */
export function valueInWords(value: unknown): string {
  if (value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

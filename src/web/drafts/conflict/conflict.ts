import type { MergeConflict } from '#contract/records/history.ts';
import { ApiProblem } from '../../app/api.ts';

/** An edit that the server couldn't merge because others changed the same parts. */
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
    ? // Sound because the contract defines these members for problems with this code.
      (error.problem as unknown as EditConflict<Edit>)
    : undefined;

export type Side = 'mine' | 'theirs' | 'both';

/** The side chosen for each item, by its key. */
export type Choices = ReadonlyMap<string, Side>;

/** A difference as text: the value before both edits, and each side's value. */
export interface Difference {
  readonly label: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Conflicts that are resolved with one choice. */
export interface ConflictItem {
  readonly key: string;
  readonly title: string;
  readonly differences: readonly Difference[];
  /** What choosing both does; undefined where only one side can be chosen. */
  readonly both?: string;
}

/** Returns the value before both edits and each side's value, converted by `read`. */
export const onEachSide = <Found>(
  { base, mine, theirs }: MergeConflict,
  read: (value: unknown) => Found,
): { readonly base: Found; readonly mine: Found; readonly theirs: Found } => ({
  base: read(base),
  mine: read(mine),
  theirs: read(theirs),
});

/** Returns a value of an edit as a text that people can compare. */
export function valueInWords(value: unknown): string {
  if (value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

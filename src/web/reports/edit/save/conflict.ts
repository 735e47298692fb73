import type { MergeConflict } from '#contract/history.ts';
import type { ReportEdit } from '#contract/reports/reports.ts';
import { ApiProblem } from '../../../app/api.ts';

/** What the server says when two edits changed the same: all that it takes to choose, and to save again. */
export interface SaveConflict {
  readonly etag: string;
  readonly merged: ReportEdit;
  readonly conflicts: readonly MergeConflict[];
}

export type Side = 'mine' | 'theirs';

/** Returns the conflict that an error tells of, or undefined. */
export const conflictIn = (error: unknown): SaveConflict | undefined =>
  error instanceof ApiProblem && error.code === 'edit_conflict'
    ? // Sound because the contract has these members in this problem.
      (error.problem as unknown as SaveConflict)
    : undefined;

/** Returns the edit with a side chosen for each part that both changed; mine where nothing was chosen. */
export function resolve(
  { merged, conflicts }: SaveConflict,
  choices: Readonly<Record<string, Side>>,
): ReportEdit {
  const resolved: Record<string, unknown> = { ...merged };
  for (const conflict of conflicts) {
    const field = conflict.pointer.slice(1);
    const value = choices[conflict.pointer] === 'theirs' ? conflict.theirs : conflict.mine;
    resolved[field] = value;
  }
  // Sound because each part is one of the two edits', and what neither has is left out.
  return Object.fromEntries(
    Object.entries(resolved).filter(([, value]) => value !== undefined),
  ) as unknown as ReportEdit;
}

const labels: Readonly<Record<string, string>> = {
  '/name': 'Name',
  '/description': 'Description',
  '/dataSourceId': 'Data source',
  '/query': 'Query',
  '/parameters': 'Parameters',
  '/visualization': 'Chart',
  '/cacheSeconds': 'How long an answer is good',
};

/** What a part is called. */
export const labelOf = (pointer: string): string => labels[pointer] ?? pointer.slice(1);

/** A part as people compare it. */
export function textOf(value: unknown): string {
  if (value === undefined) return 'None';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

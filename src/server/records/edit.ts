import { hash } from 'node:crypto';
import type { MergeConflict } from '#contract/history.ts';
import { AtriumError } from '../base/errors.ts';
import type { Reader } from '../storage/database.ts';
import type { Current, History } from './history.ts';

/** The versions that an edit may begin with (`If-Match`, RFC 9110, section 13.1.1); `any` overwrites on purpose. */
export type ExpectedVersion = readonly number[] | 'any';

/** What an edit comes to; to store it is its caller's. */
export type Edited<Content> =
  | { readonly kind: 'unchanged'; readonly isMerged: boolean }
  | {
      readonly kind: 'changed';
      readonly content: Content;
      readonly isMerged: boolean;
      /** Of the request, to know it again. */
      readonly saveHash: string;
    }
  | {
      readonly kind: 'conflict';
      readonly merged: Content;
      readonly conflicts: MergeConflict[];
      readonly base: Content;
    };

/**
 * Makes an edit of the version that it began with, and merges it with what others have saved since. Throws
 * `unknown_version` when `expected` names none that there is or was.
 */
export async function editContent<Content extends object>(
  reader: Reader,
  history: History<Content>,
  current: Current<Content>,
  edit: {
    readonly userId: string;
    readonly expected: ExpectedVersion;
    /** The request as it came. */
    readonly body: object;
    readonly draft: (base: Content) => Content;
  },
): Promise<Edited<Content>> {
  const from = chooseVersion(edit.expected, current.version);
  const saveHash = hashOf(from, edit.body);
  if (from === current.version) {
    const content = edit.draft(current.content);
    if (history.isSame(content, current.content)) return { kind: 'unchanged', isMerged: false };
    return { kind: 'changed', content, isMerged: false, saveHash };
  }
  const past = await history.findPast(reader, current, from);
  if (past === undefined) throw neverWas(current.version);
  const mine = edit.draft(past.content);
  // A client that never got the answer sends its edit again: what the edit added must not come twice.
  if (await past.hasSave({ userId: edit.userId, saveHash })) {
    return { kind: 'unchanged', isMerged: current.saveHash !== saveHash };
  }
  const { merged, conflicts } = history.merge(past.content, mine, current.content);
  if (conflicts.length > 0) return { kind: 'conflict', merged, conflicts, base: past.content };
  if (history.isSame(merged, current.content)) return { kind: 'unchanged', isMerged: true };
  return { kind: 'changed', content: merged, isMerged: true, saveHash };
}

/** Throws `unknown_version` unless the version in force is one of the expected. */
export function requireExpected(expected: ExpectedVersion, version: number): void {
  if (expected === 'any' || expected.includes(version)) return;
  throw new AtriumError(
    'unknown_version',
    `\`If-Match\` does not name the version in force, which is "${version}".`,
  );
}

/** Returns the version that an edit began with: the one in force, if it may be that, or else the newest before it. */
function chooseVersion(expected: ExpectedVersion, current: number): number {
  if (expected === 'any' || expected.includes(current)) return current;
  const version = Math.max(...expected.filter((one) => one < current));
  if (version < 1) throw neverWas(current);
  return version;
}

/** Quotes that are left out, and a weak tag that a proxy makes of an `ETag`, are easily overlooked. */
const neverWas = (current: number): AtriumError =>
  new AtriumError(
    'unknown_version',
    '`If-Match` names no version that there is or was. It takes the `ETag` as it came, quotes included and no `W/` ' +
      `before them; the version in force is "${current}".`,
  );

const hashOf = (version: number, body: object): string =>
  hash('sha256', `${version} ${JSON.stringify(body)}`, 'base64url').slice(0, 22);

import { hash } from 'node:crypto';
import type { MergeConflict } from '#contract/records/history.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { requireRecordToChange } from './access.ts';
import { chooseVersion, unknownVersion, type ExpectedVersion } from './versions/expected.ts';
import { currentOf, type RecordKind } from './kind.ts';
import type { StoredRecord } from './record.ts';
import { storeVersion } from './versions/versions.ts';

/** The outcome of an edit. */
export type EditOutcome<Stored> =
  | { readonly kind: 'stored'; readonly record: Stored; readonly isMerged: boolean }
  | {
      readonly kind: 'conflict';
      /** The current version. */
      readonly record: Stored;
      readonly merged: object;
      readonly conflicts: MergeConflict[];
    };

/** An edit of a record. */
interface RecordEdit<Content extends object> {
  readonly id: string;
  readonly expected: ExpectedVersion;
  /** The body of the request, which identifies a repeated one. */
  readonly body: object;
  /** Returns the edited content, given the version that the edit started from and the current one. */
  readonly draft: (base: Content, current: Content) => Content;
  /** The user who proposed the edit, if another one did. */
  readonly proposedBy?: string;
}

/**
 * Edits a record: merges the edit with what others have saved since the version that it started from, and stores the result as
 * a new version. Throws `unknown_version` if `expected` names no version of the record.
 */
export const editRecord = <Content extends object, Stored extends StoredRecord>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  edit: RecordEdit<Content>,
): Promise<EditOutcome<Stored>> =>
  database.write((transaction) => editInTransaction(transaction, clock, actor, kind, edit));

/** Like `editRecord`, as a part of a transaction. With conflicts, nothing was written. */
export async function editInTransaction<Content extends object, Stored extends StoredRecord>(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  { id, expected, body, draft, proposedBy = actor.userId }: RecordEdit<Content>,
): Promise<EditOutcome<Stored>> {
  const record = await requireRecordToChange(transaction, actor, kind, { id, needed: 'edit' });
  const current = currentOf(kind, record);
  const from = chooseVersion(expected, record.version);
  const saveHash = hashOf(from, body);
  const unchanged = (isMerged: boolean) => ({ kind: 'stored', record, isMerged }) as const;

  let content = current.content;
  let mine: Content;
  const isMerged = from !== record.version;
  if (isMerged) {
    const past = await kind.history.findPast(transaction, current, from);
    if (past === undefined) throw unknownVersion(record.version);
    mine = draft(past.content, current.content);
    // A client that never received the response repeats its edit: what the edit added must not be added twice.
    if (await past.hasSave({ userId: actor.userId, saveHash })) {
      return unchanged(record.saveHash !== saveHash);
    }
    const { merged, conflicts } = kind.content.merge(past.content, mine, current.content);
    if (conflicts.length > 0) {
      const known = [past.content, current.content];
      return { kind: 'conflict', record, merged: kind.toDraft?.(merged, known) ?? merged, conflicts };
    }
    content = merged;
  } else {
    mine = draft(current.content, current.content);
    content = mine;
  }
  if (kind.content.isSame(content, current.content)) return unchanged(isMerged);
  const before = current.content;
  await kind.requireValid?.(transaction, record, { content, before, known: before, userId: actor.userId });
  const change = isMerged ? 'merged' : 'saved';
  const made = { updatedBy: actor.userId, updatedAt: timestamp(clock()), change, saveHash } as const;
  return {
    kind: 'stored',
    record: await storeVersion(transaction, kind, current, content, made, {
      userIds: [actor.userId, proposedBy],
      mine,
    }),
    isMerged,
  };
}

const hashOf = (version: number, body: object): string =>
  hash('sha256', `${version} ${JSON.stringify(body)}`, 'base64url').slice(0, 22);

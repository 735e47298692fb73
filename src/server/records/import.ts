import type { ImportAction } from '#contract/records/documents.ts';
import type { Fault } from '#contract/problem.ts';
import { restrictRecord } from '../access/sharing.ts';
import { newId } from '../base/ids.ts';
import type { Transaction } from '../storage/database.ts';
import { createRecord } from './create.ts';
import type { Current } from './versions/history.ts';
import { currentOf, type RecordKind } from './kind.ts';
import type { NewPlace, Readable, StoredRecord } from './record.ts';
import { storeVersion } from './versions/versions.ts';

/** A document in a request, and the JSON Pointer to it. */
export interface PlacedDocument<Document extends { readonly id: string }> {
  readonly document: Document;
  readonly pointer: string;
}

/** The record that a document refers to; it may be in the trash. */
export interface Matched<Content extends object, Stored extends StoredRecord> {
  readonly record: Readable<Stored> & Current<Content>;
  readonly isDeleted: boolean;
}

/** What an import does for a document. */
export interface ImportStep<
  Content extends object,
  Stored extends StoredRecord,
  Document extends { readonly id: string },
> {
  readonly document: Document;
  /** The ID of the record. A new record doesn't get the ID of the document, which another organization may already use. */
  readonly id: string;
  readonly matched: Matched<Content, Stored> | undefined;
  readonly content: Content;
  readonly action: ImportAction;
  /** What changes in an existing record, in sentences; undefined if nothing changes. */
  readonly changes: readonly string[] | undefined;
  readonly isContentChanged: boolean;
  /** Whether the record gets restricted, because it is where the document comes from. Nothing gets less restricted. */
  readonly isRestricting: boolean;
}

/** A document says whether the record that it comes from is restricted. */
interface RecordDocument {
  readonly id: string;
  readonly restricted?: boolean;
}

/** Whether an import restricts what a document refers to, which requires permission to share it. */
export const isRestricting = (
  { restricted }: RecordDocument,
  matched: Matched<object, StoredRecord> | undefined,
): boolean => restricted === true && matched?.record.isHidden !== true;

/** Locks the records of an organization that documents refer to, even if the user may not see them, and returns them by document ID. */
export async function lockMatches<Content extends object, Stored extends StoredRecord>(
  transaction: Transaction,
  kind: RecordKind<Content, Stored>,
  input: {
    readonly organizationId: string;
    readonly userId: string;
    readonly documents: readonly PlacedDocument<{ readonly id: string }>[];
  },
): Promise<Map<string, Matched<Content, Stored>>> {
  const { organizationId, userId, documents } = input;
  const matches = new Map<string, Matched<Content, Stored>>();
  // In the order of the IDs, so that two imports wait for each other instead of deadlocking.
  for (const documentId of documents.map(({ document }) => document.id).toSorted()) {
    const found = await kind.store.lockMatching(transaction, { organizationId, documentId });
    if (found === undefined) continue;
    const { id, isDeleted } = found;
    const place = isDeleted ? 'in the trash' : 'in use';
    const record = await kind.findInOrganization(transaction, { organizationId, id, userId, place });
    if (record !== undefined) matches.set(documentId, { record: currentOf(kind, record), isDeleted });
  }
  return matches;
}

/** Finds the documents that refer to the same record as an earlier one, by its ID here or by the ID in the documents. */
export function findDuplicates(
  documents: readonly PlacedDocument<{ readonly id: string }>[],
  matches: ReadonlyMap<string, Matched<object, StoredRecord>>,
): Fault[] {
  const seen = new Set<string>();
  return documents.flatMap(({ document, pointer }): Fault[] => {
    const id = matches.get(document.id)?.record.id ?? document.id;
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [
      { pointer: `${pointer}/id`, code: 'unique', message: 'must not be the ID of an earlier document' },
    ];
  });
}

/** Returns what an import does for a document without storing anything; `describe` lists what changes. */
export function planStep<
  Content extends object,
  Stored extends StoredRecord,
  Document extends RecordDocument,
>(
  { content: { isSame } }: Pick<RecordKind<Content, Stored>, 'content'>,
  document: Document,
  matched: Matched<Content, Stored> | undefined,
  content: Content,
  describe: (before: Content, after: Content) => readonly string[],
): ImportStep<Content, Stored, Document> {
  const restricts = isRestricting(document, matched);
  const step = { document, matched, content, isRestricting: restricts };
  if (matched === undefined)
    return { ...step, id: newId(), action: 'create', changes: undefined, isContentChanged: true };
  const { record, isDeleted } = matched;
  const isContentChanged = !isSame(record.content, content);
  const described = [
    ...(isContentChanged ? describe(record.content, content) : []),
    ...(restricts ? ['Becomes restricted, as it is where it comes from.'] : []),
  ];
  const changes = isContentChanged || restricts ? described : undefined;
  const action = isDeleted ? 'restore' : changes === undefined ? 'unchanged' : 'update';
  return { ...step, id: record.id, action, changes, isContentChanged };
}

/** Stores what an import does for a document; what it creates is stored in a place. */
export async function applyStep<Content extends object, Stored extends StoredRecord>(
  transaction: Transaction,
  kind: RecordKind<Content, Stored>,
  step: ImportStep<Content, Stored, { readonly id: string }>,
  owner: {
    readonly organizationId: string;
    readonly userId: string;
    readonly at: string;
    readonly place?: NewPlace;
  },
): Promise<void> {
  const { document, id, matched, content, action } = step;
  const { userId, at } = owner;
  if (matched === undefined) {
    const place = { ...owner.place, ...(step.isRestricting && { isRestricted: true }) };
    await createRecord(transaction, kind, { ...owner, place, id, change: 'imported', content });
    await kind.store.setOrigin(transaction, { id, originId: document.id });
    return;
  }
  if (action === 'restore') {
    await kind.store.setDeleted(transaction, id, undefined);
    await kind.onChange(transaction, matched.record, { isRenamed: true });
  }
  if (step.isRestricting) {
    await restrictRecord(transaction, { kind: kind.name, id });
    await kind.onChange(transaction, matched.record, { isRenamed: true });
  }
  if (step.isContentChanged) {
    const origin = { updatedBy: userId, updatedAt: at, change: 'imported' } as const;
    await storeVersion(transaction, kind, matched.record, content, origin);
  }
}

import type { ContentChange } from '#contract/records/history.ts';
import type { Transaction } from '../storage/database.ts';
import type { Contribution } from './versions/contribution.ts';
import { historyOf, type ContentKind, type Current, type History } from './versions/history.ts';
import type { RecordHead, StoredRecord } from './record.ts';
import type { RecordRows } from './rows.ts';
import { recordStore, type PurgedRecord, type RecordStore } from './store.ts';
import { trashStore, type TrashRow, type TrashStore } from './trash-store.ts';

/** What distinguishes a kind of record from the others. */
export interface KindDefinition<
  Content extends object,
  Stored extends StoredRecord,
  Summary extends object,
> extends RecordRows<Stored> {
  readonly name: 'dashboard' | 'report';
  readonly content: ContentKind<Content>;
  contentOf(stored: Stored): Content;
  /** Returns a record with this content. */
  build(head: RecordHead, content: Content): Stored;
  /** Returns what a new version stores about who put the parts of its content there, if the kind stores that. */
  attribute?(
    before: Stored & Current<Content>,
    content: Content,
    made: { readonly updatedBy: string; readonly contribution: Contribution<Content> },
  ): Partial<Stored>;
  /** Lists what changed from one content to another, each change as a sentence with a pointer. */
  describeChanges(from: Content, to: Content): ContentChange[];
  /** Returns a record in the trash as a list shows it. */
  toSummary(row: TrashRow): Summary;
  /** Throws `invalid_body` unless the record can have a content. */
  requireValid?(transaction: Transaction, record: Stored, change: ChangedContent<Content>): Promise<void>;
  /** Returns a merged content with conflicts as a client gets it; `stored` are the contents that it was merged from. */
  toDraft?(merged: Content, stored: readonly Content[]): object;
  /** Called when a record has a new version, or was deleted or restored; `isRenamed` if others now see another name or none. */
  onChange(
    transaction: Transaction,
    record: Pick<StoredRecord, 'id' | 'organizationId'>,
    change: { readonly isRenamed: boolean },
  ): Promise<void>;
  /** Called before a record is deleted permanently. */
  onPurge?(transaction: Transaction, record: PurgedRecord): Promise<unknown>;
}

/** A content that a user gives to a record. */
export interface ChangedContent<Content> {
  readonly content: Content;
  /** What it replaces. */
  readonly before: Content;
  /** A content that was valid when it was stored. */
  readonly known: Content;
  readonly userId: string;
}

/** A kind of record, such as dashboards. */
export interface RecordKind<
  Content extends object,
  Stored extends StoredRecord,
  Summary extends object = object,
> extends KindDefinition<Content, Stored, Summary> {
  readonly history: History<Content>;
  readonly store: RecordStore;
  readonly trash: TrashStore;
}

/** What it takes to move records to the trash or to folders, regardless of their content. */
export type PlacedKind<Stored extends StoredRecord = StoredRecord> = Pick<
  RecordKind<object, Stored>,
  'name' | 'findReadable' | 'lockVisible' | 'onChange' | 'store'
>;

/** Returns the kind of record that a definition describes. */
export const recordKind = <Content extends object, Stored extends StoredRecord, Summary extends object>(
  definition: KindDefinition<Content, Stored, Summary>,
): RecordKind<Content, Stored, Summary> => ({
  ...definition,
  history: historyOf(`${definition.name}_versions`, definition.content),
  store: recordStore(`${definition.name}s`),
  trash: trashStore(`${definition.name}s`, definition.mayEdit),
});

/** Returns a record with its content, as its history requires it. */
export const currentOf = <Content extends object, Stored extends StoredRecord, Found extends Stored>(
  { contentOf }: Pick<RecordKind<Content, Stored>, 'contentOf'>,
  stored: Found,
): Found & Current<Content> => ({ ...stored, content: contentOf(stored) });

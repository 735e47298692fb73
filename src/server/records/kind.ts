import type { ContentChange } from '#contract/history.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { historyOf, type ContentKind, type Current, type History } from './versions/history.ts';
import { recordStore, type PurgedRecord, type RecordStore } from './store.ts';
import { trashStore, type TrashRow, type TrashStore, type TrashTable } from './trash-store.ts';
import type { CurrentVersion } from './versions/store.ts';

/** What every record has besides its content. */
export interface StoredRecord extends CurrentVersion {
  /** The user who owns it. */
  readonly userId: string;
  /** Undefined if it is personal. */
  readonly organizationId: string | undefined;
  readonly name: string;
  readonly createdAt: string;
}

/** A record without its content. */
export type RecordHead = Omit<StoredRecord, 'name'>;

/** A record that a user may see, with what decides which actions the user may take on it. */
export type Readable<Stored> = Stored & {
  /** The user's role in the organization; undefined if the record is personal. */
  readonly role: Role | undefined;
  /** The access that is granted to the user by name. */
  readonly share: 'view' | 'edit' | undefined;
  /** Whether, of the members without a share, only admins and the owner may see the record. */
  readonly isRestricted: boolean;
  readonly requireSso: boolean;
};

export type Place = 'in use' | 'in the trash';

/** Returns a place as a parameter of a query; it is absent for records in use. */
export const atPlace = (place: Place): { readonly isDeleted?: true } =>
  place === 'in the trash' ? { isDeleted: true } : {};

/** What distinguishes a kind of record from the others. */
export interface KindDefinition<Content extends object, Stored extends StoredRecord, Summary extends object> {
  readonly name: 'dashboard' | 'report';
  readonly table: TrashTable;
  readonly content: ContentKind<Content>;
  contentOf(stored: Stored): Content;
  /** Returns a record with this content. */
  build(head: RecordHead, content: Content): Stored;
  /** Lists what changed from one content to another, each change as a sentence with a pointer. */
  describeChanges(from: Content, to: Content): ContentChange[];
  /** Returns a record in the trash as a list shows it. */
  toSummary(row: TrashRow): Summary;
  /** Returns a record that a user may see, or undefined. */
  findReadable(
    reader: Reader,
    input: { readonly id: string; readonly userId: string; readonly place: Place },
  ): Promise<Readable<Stored> | undefined>;
  /** Returns a record of an organization, even if the user may not see it, with the user's share; or undefined. */
  findInOrganization(
    reader: Reader,
    input: {
      readonly organizationId: string;
      readonly id: string;
      readonly userId?: string;
      readonly place: Place;
    },
  ): Promise<Readable<Stored> | undefined>;
  /** Locks a record that a user may see, in use or in the trash, and returns whether it exists. */
  lockVisible(
    transaction: Transaction,
    input: { readonly id: string; readonly userId: string },
  ): Promise<boolean>;
  insert(transaction: Transaction, stored: Stored): Promise<unknown>;
  /** Replaces the stored version with a new one. */
  update(transaction: Transaction, stored: Stored): Promise<unknown>;
  /** Throws `invalid_body` unless the record can have this content. */
  requireValid?(transaction: Transaction, record: Stored, content: Content): Promise<void>;
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

/** Returns the kind of record that a definition describes. */
export const recordKind = <Content extends object, Stored extends StoredRecord, Summary extends object>(
  definition: KindDefinition<Content, Stored, Summary>,
): RecordKind<Content, Stored, Summary> => ({
  ...definition,
  history: historyOf(`${definition.name}_versions`, definition.content),
  store: recordStore(definition.table.name),
  trash: trashStore(definition.table),
});

/** Returns a record with its content, as its history requires it. */
export const currentOf = <Content extends object, Stored extends StoredRecord, Found extends Stored>(
  { contentOf }: Pick<RecordKind<Content, Stored>, 'contentOf'>,
  stored: Found,
): Found & Current<Content> => ({ ...stored, content: contentOf(stored) });

import { findJson, storeJson } from '../ui/browser/stored-json.ts';
import type { RecordKind } from '../ui/server-data/trash.ts';

/** What drafts are of: records, and the descriptions of tables. */
type DraftedKind = RecordKind | 'model';

/** The functions that drafts of a kind of record depend on. */
export interface DraftKind<Content> {
  readonly kind: DraftedKind;
  isSame(one: Content, other: Content): boolean;
  /** Whether nothing has been written yet, so that there is nothing to store. */
  isBlank(content: Content): boolean;
  /** Whether a stored value is valid content: another version of the application may have stored another form. */
  isContent(value: unknown): value is Content;
}

/** The version that a draft is based on, and its content. */
export interface DraftBase<Content> {
  /** Empty for a record that was never saved. */
  readonly etag: string;
  readonly content: Content;
}

/** Unsaved changes, as they are stored in this browser. */
export interface StoredDraft<Content> {
  readonly storedAt: string;
  readonly base: DraftBase<Content>;
  readonly present: Content;
}

/** Identifies a draft by its author and its record, because people who share a browser must not see each other's drafts. */
export interface DraftKey {
  readonly userId: string;
  /** The ID of the record, or any other name for one that was never saved. */
  readonly recordId: string;
}

type Browser = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const nameOf = ({ kind }: { readonly kind: DraftedKind }, { userId, recordId }: DraftKey): string =>
  `atrium:draft:${kind}:${userId}:${recordId}`;

/** Stores a draft, replacing the previous one. Returns whether the browser had enough space. */
export const storeDraft = <Content>(
  storage: Browser,
  kind: DraftKind<Content>,
  place: DraftKey,
  draft: StoredDraft<Content>,
): boolean => storeJson(storage, nameOf(kind, place), draft);

/** Returns the stored draft; undefined if there is none, or it is invalid. */
export const findDraft = <Content>(
  storage: Browser,
  kind: DraftKind<Content>,
  place: DraftKey,
): StoredDraft<Content> | undefined =>
  findJson(storage, nameOf(kind, place), (value) => {
    const draft = value as Partial<StoredDraft<unknown>> | null;
    return typeof draft?.storedAt === 'string' &&
      typeof draft.base?.etag === 'string' &&
      kind.isContent(draft.base.content) &&
      kind.isContent(draft.present)
      ? // Sound because each member was checked.
        (draft as StoredDraft<Content>)
      : undefined;
  });

export const dropDraft = (storage: Browser, kind: { readonly kind: DraftedKind }, place: DraftKey): void =>
  storage.removeItem(nameOf(kind, place));

import type { MergeConflict, RecordVersion } from '#contract/records/history.ts';
import { toPage, type Page, type PageRequest } from '../../base/paging.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import {
  findUserName,
  versionStore,
  type CurrentVersion,
  type VersionStep,
  type VersionTable,
} from './store.ts';

/** Every version whose number is a multiple of this is stored whole, so that a read never applies more deltas than this. */
const wholeEvery = 50;
/** A delta that is longer than this and than this share of the content isn't worth it: the version is stored whole instead. */
const largeLength = 64 * 1024;
const largeShare = 1 / 8;

/** How the content of a kind of record is stored in versions, compared and merged. */
export interface ContentKind<Content> {
  /** Returns the delta that turns `from` into `to`; it can be stored as JSON. */
  deltaBetween(from: Content, to: Content): object;
  /** Applies what `deltaBetween` returned, read back from JSON. */
  applyDelta(from: Content, delta: unknown): Content;
  isSame(one: Content, other: Content): boolean;
  merge(base: Content, mine: Content, theirs: Content): { merged: Content; conflicts: MergeConflict[] };
}

/** The current version of a record, with its content. */
export interface Current<Content> extends CurrentVersion {
  readonly content: Content;
}

/** The versions of one kind of record. */
export interface History<Content> extends ContentKind<Content> {
  /** Returns the content of a version, or undefined if there is no such version. */
  findContent(reader: Reader, current: Current<Content>, version: number): Promise<Content | undefined>;
  /** Stores the current version as a past one, either whole or as a delta from the content that replaces it. */
  store(transaction: Transaction, current: Current<Content>, next: Content): Promise<void>;
  /** Returns a page of versions, newest first, including the current one; its cursor is the number of a version. */
  list(reader: Reader, current: CurrentVersion, page: PageRequest): Promise<Page<RecordVersion>>;
  /** Returns who made a version, when and how, or undefined if there is no such version. */
  findHead(reader: Reader, current: CurrentVersion, version: number): Promise<RecordVersion | undefined>;
  /** Returns a version before the current one, or undefined if there is no such version. */
  findPast(reader: Reader, current: Current<Content>, version: number): Promise<Past<Content> | undefined>;
}

/** A version before the current one. */
export interface Past<Content> {
  readonly content: Content;
  /** Returns whether a save made one of the versions after it. */
  hasSave(save: Save): Promise<boolean>;
}

/** A save, identified by its user and a hash of its request. */
interface Save {
  readonly userId: string;
  readonly saveHash: string;
}

/** The key that a cursor of versions holds: the number of a version. */
export const versionKey = /^[1-9][0-9]{0,9}$/;

/** Returns the history of a kind of record whose past versions are stored in `table`. */
export function historyOf<Content extends object>(
  table: VersionTable,
  kind: ContentKind<Content>,
): History<Content> {
  const versions = versionStore(table);

  /** Reads only versions before `version`, even if others save in the meantime, since their deltas apply to its content. */
  const selectSteps = (
    reader: Reader,
    { id, version }: CurrentVersion,
    from: number,
  ): Promise<VersionStep[]> =>
    versions.selectSteps(reader, { recordId: id, from, before: version, limit: wholeEvery });

  function contentAt(current: Current<Content>, steps: readonly VersionStep[]): Content {
    const whole = steps.findIndex(({ content }) => content !== undefined);
    // Sound because `store` wrote it.
    const start = whole === -1 ? current.content : (steps[whole]?.content as Content);
    const back = whole === -1 ? steps : steps.slice(0, whole);
    return back.reduceRight((content, { delta }) => kind.applyDelta(content, delta), start);
  }

  async function findContent(
    reader: Reader,
    current: Current<Content>,
    version: number,
  ): Promise<Content | undefined> {
    if (version === current.version) return current.content;
    return (await findPast(reader, current, version))?.content;
  }

  async function findPast(
    reader: Reader,
    current: Current<Content>,
    version: number,
  ): Promise<Past<Content> | undefined> {
    if (version < 1 || version >= current.version) return undefined;
    const steps = await selectSteps(reader, current, version);
    const last = steps.at(-1);
    // The record was just deleted permanently.
    if (last === undefined) return undefined;
    const isSave = (made: { userId: string; saveHash: string | undefined }, save: Save) =>
      made.userId === save.userId && made.saveHash === save.saveHash;
    return {
      content: contentAt(current, steps),
      async hasSave(save) {
        if (isSave({ ...current, userId: current.updatedBy }, save)) return true;
        // The first step is the version itself.
        if (steps.slice(1).some((step) => isSave(step, save))) return true;
        if (last.version === current.version - 1) return false;
        return versions.hasSave(reader, { recordId: current.id, from: last.version, ...save });
      },
    };
  }

  async function store(transaction: Transaction, current: Current<Content>, next: Content): Promise<void> {
    await versions.insert(transaction, current, toStored(current, next));
  }

  function toStored(
    { content, version }: Current<Content>,
    next: Content,
  ): { delta: string } | { content: string } {
    if (version % wholeEvery === 0) return { content: JSON.stringify(content) };
    const delta = JSON.stringify(kind.deltaBetween(next, content));
    if (delta.length <= largeLength) return { delta };
    const whole = JSON.stringify(content);
    return delta.length > whole.length * largeShare ? { content: whole } : { delta };
  }

  async function list(
    reader: Reader,
    current: CurrentVersion,
    page: PageRequest,
  ): Promise<Page<RecordVersion>> {
    const before = page.after === undefined ? current.version + 1 : Number(page.after);
    const items = before > current.version ? [await headOf(reader, current)] : [];
    const older = await versions.selectHeads(reader, {
      recordId: current.id,
      before: Math.min(before, current.version),
      limit: page.limit - items.length,
    });
    return toPage({ rows: [...items, ...older.rows], hasMore: older.hasMore }, ({ version }) =>
      String(version),
    );
  }

  async function findHead(
    reader: Reader,
    current: CurrentVersion,
    version: number,
  ): Promise<RecordVersion | undefined> {
    if (version === current.version) return headOf(reader, current);
    const {
      rows: [head],
    } = await versions.selectHeads(reader, {
      recordId: current.id,
      before: version + 1,
      limit: 1,
    });
    return head;
  }

  return { ...kind, findContent, findPast, store, list, findHead };
}

const headOf = async (reader: Reader, current: CurrentVersion): Promise<RecordVersion> => ({
  version: current.version,
  userId: current.updatedBy,
  userName: await findUserName(reader, current.updatedBy),
  at: current.updatedAt,
  change: current.change,
  ...(current.restoredFrom !== undefined && { restoredFrom: current.restoredFrom }),
});

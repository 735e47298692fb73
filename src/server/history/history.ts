import type { MergeConflict, RecordVersion } from '#contract/history.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { findUserName, versionStore, type VersionInForce, type VersionTable } from './version-store.ts';

/** Every so many versions one is kept whole: the longest chain of deltas that a read has to apply. */
const wholeEvery = 50;

/** What a kind of record has to know of its content, so that its versions can be kept and merged. */
export interface ContentKind<Content> {
  /** Returns what `applyDelta` makes `to` of `from` with, as JSON. */
  deltaBetween(from: Content, to: Content): object;
  /** `delta` is what `deltaBetween` returned, read back from JSON. */
  applyDelta(from: Content, delta: unknown): Content;
  isSame(one: Content, other: Content): boolean;
  merge(base: Content, mine: Content, theirs: Content): { merged: Content; conflicts: MergeConflict[] };
}

/** A record as an edit finds it: the version in force, and its content. */
export interface Current<Content> extends VersionInForce {
  readonly content: Content;
}

/** The versions of one kind of record. */
export interface History<Content> extends ContentKind<Content> {
  /** Returns the content of a version, or undefined when there is none of this number. */
  findContent(reader: Reader, current: Current<Content>, version: number): Promise<Content | undefined>;
  /** Keeps the version in force, as the step back from the content that takes its place. */
  keep(transaction: Transaction, current: Current<Content>, next: Content): Promise<void>;
  /** Returns a page of versions, newest first, the one in force included; a page ends with the number of a version. */
  list(reader: Reader, current: VersionInForce, page: PageRequest): Promise<Page<RecordVersion>>;
  /** Returns who made a version, when and how, or undefined. */
  findHead(reader: Reader, current: VersionInForce, version: number): Promise<RecordVersion | undefined>;
  /** Whether a version after `from` was made by a certain request. */
  hasSave(
    reader: Reader,
    current: VersionInForce,
    save: { readonly from: number; readonly userId: string; readonly saveHash: string },
  ): Promise<boolean>;
}

/** What the cursor of a page of versions looks like. */
export const versionKey = /^[1-9][0-9]{0,9}$/;

/** Returns the history of a kind of record, whose past versions are in `table`. */
export function historyOf<Content extends object>(
  table: VersionTable,
  kind: ContentKind<Content>,
): History<Content> {
  const store = versionStore(table);

  async function findContent(
    reader: Reader,
    current: Current<Content>,
    version: number,
  ): Promise<Content | undefined> {
    if (version === current.version) return current.content;
    if (version < 1 || version > current.version) return undefined;
    const steps = await store.selectSteps(reader, { recordId: current.id, from: version, limit: wholeEvery });
    const whole = steps.findIndex(({ content }) => content !== undefined);
    // Sound because `keep` wrote it.
    const start = whole === -1 ? current.content : (steps[whole]?.content as Content);
    const back = whole === -1 ? steps : steps.slice(0, whole);
    return back.reduceRight((content, { delta }) => kind.applyDelta(content, delta), start);
  }

  async function keep(transaction: Transaction, current: Current<Content>, next: Content): Promise<void> {
    const { content, version } = current;
    const isWhole = version % wholeEvery === 0;
    await store.insert(
      transaction,
      current,
      isWhole ? { content } : { delta: kind.deltaBetween(next, content) },
    );
  }

  async function list(
    reader: Reader,
    current: VersionInForce,
    page: PageRequest,
  ): Promise<Page<RecordVersion>> {
    const before = page.after === undefined ? current.version + 1 : Number(page.after);
    const items = before > current.version ? [await headOf(reader, current)] : [];
    const older = await store.selectHeads(reader, {
      recordId: current.id,
      before: Math.min(before, current.version),
      limit: page.limit + 1 - items.length,
    });
    return toPage([...items, ...older], page, ({ version }) => String(version));
  }

  async function findHead(
    reader: Reader,
    current: VersionInForce,
    version: number,
  ): Promise<RecordVersion | undefined> {
    if (version === current.version) return headOf(reader, current);
    const [head] = await store.selectHeads(reader, { recordId: current.id, before: version + 1, limit: 1 });
    return head;
  }

  return {
    ...kind,
    findContent,
    keep,
    list,
    findHead,
    async hasSave(reader, current, { from, userId, saveHash }) {
      if (current.updatedBy === userId && current.saveHash === saveHash) return true;
      return store.hasSave(reader, { recordId: current.id, from, userId, saveHash });
    },
  };
}

const headOf = async (reader: Reader, current: VersionInForce): Promise<RecordVersion> => ({
  version: current.version,
  userId: current.updatedBy,
  userName: await findUserName(reader, current.updatedBy),
  at: current.updatedAt,
  change: current.change,
  ...(current.restoredFrom !== undefined && { restoredFrom: current.restoredFrom }),
});

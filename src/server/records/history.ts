import type { MergeConflict, RecordVersion } from '#contract/history.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import {
  findUserName,
  versionStore,
  type VersionInForce,
  type VersionStep,
  type VersionTable,
} from './version-store.ts';

/** Every so many versions one is kept whole: the longest chain of deltas that a read has to apply. */
const wholeEvery = 50;
/** A delta above this length that is more than an eighth of the content is not worth it: what a read applies stays small. */
const largeLength = 64 * 1024;
const largeShare = 1 / 8;

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
  /** Returns what an edit begins with that others have saved after, or undefined when there is no such version. */
  findPast(reader: Reader, current: Current<Content>, version: number): Promise<Past<Content> | undefined>;
}

/** A version that is no more in force. */
export interface Past<Content> {
  readonly content: Content;
  /** Whether a version after it was made by a certain request. */
  hasSave(save: Save): Promise<boolean>;
}

interface Save {
  readonly userId: string;
  readonly saveHash: string;
}

/** What the cursor of a page of versions looks like. */
export const versionKey = /^[1-9][0-9]{0,9}$/;

/** Returns the history of a kind of record, whose past versions are in `table`. */
export function historyOf<Content extends object>(
  table: VersionTable,
  kind: ContentKind<Content>,
): History<Content> {
  const store = versionStore(table);

  /** Those before `version`, whatever others save meanwhile: only so do they lead back from its content. */
  const selectSteps = (
    reader: Reader,
    { id, version }: VersionInForce,
    from: number,
  ): Promise<VersionStep[]> =>
    store.selectSteps(reader, { recordId: id, from, before: version, limit: wholeEvery });

  function contentAt(current: Current<Content>, steps: readonly VersionStep[]): Content {
    const whole = steps.findIndex(({ content }) => content !== undefined);
    // Sound because `keep` wrote it.
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
    // It was purged a moment ago.
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
        return store.hasSave(reader, { recordId: current.id, from: last.version, ...save });
      },
    };
  }

  async function keep(transaction: Transaction, current: Current<Content>, next: Content): Promise<void> {
    await store.insert(transaction, current, toKeep(current, next));
  }

  function toKeep(
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

  return { ...kind, findContent, findPast, keep, list, findHead };
}

const headOf = async (reader: Reader, current: VersionInForce): Promise<RecordVersion> => ({
  version: current.version,
  userId: current.updatedBy,
  userName: await findUserName(reader, current.updatedBy),
  at: current.updatedAt,
  change: current.change,
  ...(current.restoredFrom !== undefined && { restoredFrom: current.restoredFrom }),
});

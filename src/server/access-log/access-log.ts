import type { AccessAction } from '#shared/access-actions.ts';
import type { Actor } from '../base/actor.ts';
import { hoursMs, timestamp, type Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Database } from '../storage/database.ts';
import { addAccessEntry, type NewAccessEntry } from './store.ts';

/** Someone reads something of an organization. */
export interface Access {
  readonly action: AccessAction;
  /** For a wall display, the creator of its link, who is not the one who reads. */
  readonly actor: Pick<Actor, 'userId' | 'credential'>;
  /** Undefined for personal dashboards, which no organization can see. */
  readonly organizationId: string | undefined;
  /** The dashboard, report or data source; left out if it is several. */
  readonly subjectId?: string;
}

export interface AccessLog {
  /** Counts a view or a run. It is stored within some seconds, and lost if the process is killed before. */
  note(access: Access): void;
  /**
   * Stores an export. Nothing of it may be sent before this resolves, and nothing at all if it rejects, so that no export is
   * without an entry.
   */
  record(access: Access & { readonly details?: Readonly<Record<string, unknown>> }): Promise<void>;
  /** Stores what was counted. */
  flush(): Promise<void>;
  /** Stores what was counted, for the last time. */
  close(): Promise<void>;
}

const flushAfterMs = 5_000;
/** How many entries are stored in one transaction. */
const maxBatch = 500;
/** How many entries can wait while writes fail. Others are lost, so that the memory lasts. */
const maxWaiting = 20_000;

interface Failures {
  /** Called when writes begin to fail; what was counted is stored as soon as they succeed. */
  readonly onFailure: (error: unknown) => void;
  /** Called with how many views were lost: while writes failed, or because they still failed at the end. */
  readonly onLost: (count: number) => void;
}

/** Returns what records who reads what. */
export function createAccessLog(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { onFailure, onLost }: Failures,
): AccessLog {
  const waiting = new Map<string, NewAccessEntry>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isFailing = false;
  let lostCount = 0;
  let isClosed = false;

  function count(entry: NewAccessEntry & { readonly bucket: string }): void {
    const known = waiting.get(entry.bucket);
    if (known === undefined && waiting.size >= maxWaiting) {
      lostCount += entry.count;
      return;
    }
    waiting.set(entry.bucket, known === undefined ? entry : together(known, entry));
  }

  async function store(): Promise<void> {
    // Processes lock the rows of their buckets in the same order, so that none waits for another that waits for it.
    const entries = [...waiting.values()].toSorted((one, other) =>
      (one.bucket ?? '') < (other.bucket ?? '') ? -1 : 1,
    );
    waiting.clear();
    for (let start = 0; start < entries.length; start += maxBatch) {
      const batch = entries.slice(start, start + maxBatch);
      try {
        await database.write(async (transaction) => {
          for (const entry of batch) await addAccessEntry(transaction, entry);
        });
      } catch (error) {
        for (const entry of entries.slice(start))
          if (entry.bucket !== null) count({ ...entry, bucket: entry.bucket });
        throw error;
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = flushing
      .then(store)
      .then(() => {
        isFailing = false;
        if (lostCount > 0) onLost(lostCount);
        lostCount = 0;
      })
      .catch((error: unknown) => {
        if (!isFailing) onFailure(error);
        isFailing = true;
        schedule();
      });
    return flushing;
  }

  function schedule(): void {
    if (!isClosed) timer ??= setTimeout(() => void flush(), flushAfterMs).unref();
  }

  return {
    note({ organizationId, ...access }) {
      if (organizationId === undefined) return;
      const now = clock();
      const entry = newEntry({ ...access, organizationId }, now);
      count({ ...entry, bucket: bucketOf(entry, now) });
      schedule();
    },
    async record({ organizationId, details, ...access }) {
      if (organizationId === undefined) return;
      const entry = newEntry({ ...access, organizationId }, clock());
      const stored = details === undefined ? entry : { ...entry, details: JSON.stringify(details) };
      await database.write((transaction) => addAccessEntry(transaction, stored));
    },
    flush,
    async close() {
      isClosed = true;
      await flush();
      const lost = [...waiting.values()].reduce((sum, entry) => sum + entry.count, lostCount);
      if (lost > 0) onLost(lost);
    },
  };
}

function newEntry(
  { action, actor, organizationId, subjectId }: Access & { readonly organizationId: string },
  now: number,
): NewAccessEntry & { readonly bucket: null } {
  const { credential, userId } = actor;
  const isDisplay = credential.kind === 'display';
  const at = timestamp(now);
  return {
    id: newId(),
    organizationId,
    at,
    lastAt: at,
    action,
    actorId: isDisplay ? null : userId,
    tokenId: credential.kind === 'token' ? credential.id : null,
    linkId: isDisplay ? credential.id : null,
    subjectId: subjectId ?? null,
    count: 1,
    bucket: null,
    details: '{}',
  };
}

/** Returns what entries have in common that are counted as one: everything but the time within an hour. */
const bucketOf = (entry: NewAccessEntry, now: number): string =>
  [
    Math.floor(now / hoursMs(1)),
    entry.organizationId,
    entry.action,
    entry.actorId ?? '',
    entry.tokenId ?? '',
    entry.linkId ?? '',
    entry.subjectId ?? '',
  ].join(' ');

const together = (one: NewAccessEntry, other: NewAccessEntry): NewAccessEntry => ({
  ...one,
  count: one.count + other.count,
  at: one.at < other.at ? one.at : other.at,
  lastAt: one.lastAt > other.lastAt ? one.lastAt : other.lastAt,
});

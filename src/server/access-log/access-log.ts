import { AsyncResource } from 'node:async_hooks';
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
  /** By their buckets. */
  const waiting = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isFailing = false;
  let lostCount = 0;
  let isClosed = false;

  function add(bucket: string, counted: Counted): void {
    const known = waiting.get(bucket);
    if (known !== undefined) merge(known, counted);
    else if (waiting.size < maxWaiting) waiting.set(bucket, counted);
    else lostCount += counted.count;
  }

  async function store(): Promise<void> {
    // Processes lock the rows of their buckets in the same order, so that none waits for another that waits for it.
    const entries = [...waiting].toSorted(([one], [other]) => (one < other ? -1 : 1));
    waiting.clear();
    for (let start = 0; start < entries.length; start += maxBatch) {
      const batch = entries.slice(start, start + maxBatch);
      try {
        await database.write(async (transaction) => {
          for (const [bucket, counted] of batch)
            await addAccessEntry(transaction, { ...toEntry(counted), bucket });
        });
      } catch (error) {
        for (const [bucket, counted] of entries.slice(start)) add(bucket, counted);
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

  // What is written for many requests belongs to the trace of none of them.
  const flushUntraced = AsyncResource.bind(() => void flush());

  function schedule(): void {
    if (!isClosed) timer ??= setTimeout(flushUntraced, flushAfterMs).unref();
  }

  return {
    note(access) {
      if (!isOfOrganization(access)) return;
      const now = clock();
      add(bucketOf(access, now), { access, count: 1, firstMs: now, lastMs: now });
      schedule();
    },
    async record({ details, ...access }) {
      if (!isOfOrganization(access)) return;
      const now = clock();
      const entry = toEntry({ access, count: 1, firstMs: now, lastMs: now });
      const stored = details === undefined ? entry : { ...entry, details: JSON.stringify(details) };
      await database.write((transaction) => addAccessEntry(transaction, stored));
    },
    flush,
    async close() {
      isClosed = true;
      await flush();
      const lost = waiting.values().reduce((sum, { count }) => sum + count, lostCount);
      if (lost > 0) onLost(lost);
    },
  };
}

type OrganizationAccess = Access & { readonly organizationId: string };

const isOfOrganization = (access: Access): access is OrganizationAccess =>
  access.organizationId !== undefined;

/** Views that become one entry. Its texts are made when it is stored: most views are of what was viewed a moment ago. */
interface Counted {
  readonly access: OrganizationAccess;
  count: number;
  firstMs: number;
  lastMs: number;
}

function merge(known: Counted, { count, firstMs, lastMs }: Counted): void {
  known.count += count;
  known.firstMs = Math.min(known.firstMs, firstMs);
  known.lastMs = Math.max(known.lastMs, lastMs);
}

function toEntry({ access, count, firstMs, lastMs }: Counted): NewAccessEntry {
  const { action, actor, organizationId, subjectId } = access;
  const { credential, userId } = actor;
  const isDisplay = credential.kind === 'display';
  return {
    id: newId(),
    organizationId,
    at: timestamp(firstMs),
    lastAt: timestamp(lastMs),
    action,
    actorId: isDisplay ? null : userId,
    tokenId: credential.kind === 'token' ? credential.id : null,
    linkId: isDisplay ? credential.id : null,
    subjectId: subjectId ?? null,
    count,
    bucket: null,
    details: '{}',
  };
}

/** Returns what views have in common that are counted as one: everything but the time within an hour. */
function bucketOf(
  { action, actor, organizationId, subjectId = '' }: OrganizationAccess,
  now: number,
): string {
  const { credential, userId } = actor;
  const isDisplay = credential.kind === 'display';
  const actorId = isDisplay ? '' : userId;
  const tokenId = credential.kind === 'token' ? credential.id : '';
  const linkId = isDisplay ? credential.id : '';
  return `${Math.floor(now / hoursMs(1))} ${organizationId} ${action} ${actorId} ${tokenId} ${linkId} ${subjectId}`;
}

import { randomBytes } from 'node:crypto';
import { hoursMs, minutesMs, timestamp, type Clock } from '../base/clock.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { accessContent, auditContent, chainedHash, firstHash, hashOfDetails } from './content.ts';
import { logs, type Log } from './rows.ts';
import {
  addChain,
  deleteStart,
  lockChain,
  lockWaitingAccess,
  lockWaitingAudit,
  selectSealedAccess,
  selectWaitingOrganizations,
  updateAnchor,
  updateHead,
  updateSealedAccess,
  updateSealedAudit,
  type Chain,
} from './store.ts';

export interface ChainDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** How many entries are sealed, or deleted, in one transaction. */
const maxBatch = 500;
/** How long after its hour a count can still change: every process has written it by then. */
const openForMs = minutesMs(1);

/** Returns when the newest counts were made that can't change any more. */
const closedBefore = (now: number): string => {
  const latest = now - openForMs;
  return timestamp(latest - (latest % hoursMs(1)));
};

/**
 * Gives all entries of both logs that have none yet the next numbers of their chains, with the hashes. Entries are numbered when
 * they can be read, not when they are written: so no reader of a chain passes one that is committed late.
 */
export async function sealLogs(dependencies: ChainDependencies, stopped: AbortSignal): Promise<void> {
  const { database, clock } = dependencies;
  for (const log of logs) {
    for (const organizationId of await selectWaitingOrganizations(database, log, closedBefore(clock()))) {
      await sealLog(dependencies, { organizationId, log }, stopped);
      if (stopped.aborted) return;
    }
  }
}

/** Seals one log of an organization, which exists. */
export async function sealLog(
  { database, clock }: ChainDependencies,
  key: { readonly organizationId: string; readonly log: Log },
  stopped?: AbortSignal,
): Promise<void> {
  let count = maxBatch;
  while (count === maxBatch && stopped?.aborted !== true) {
    count = await database.write((transaction) => sealBatch(transaction, key, closedBefore(clock())));
  }
}

async function sealBatch(
  transaction: Transaction,
  key: { readonly organizationId: string; readonly log: Log },
  closed: string,
): Promise<number> {
  const { organizationId, log } = key;
  await addChain(transaction, key, firstHash);
  // The lock of the chain comes before those of its entries, so that processes take them in the same order.
  const chain = await lockChain(transaction, key);
  if (chain === undefined) return 0;
  const waiting = { organizationId, closedBefore: closed, limit: maxBatch };
  const head = { sequence: chain.sequence, hash: chain.hash };
  let count = 0;
  if (log === 'audit') {
    for (const row of await lockWaitingAudit(transaction, waiting)) {
      const detailsSalt = randomBytes(16).toString('hex');
      const detailsHash = hashOfDetails(detailsSalt, row.details);
      head.sequence += 1;
      head.hash = chainedHash(head.hash, auditContent(row, head.sequence, detailsHash));
      await updateSealedAudit(transaction, { id: row.id, ...head, detailsSalt, detailsHash });
      count += 1;
    }
  } else {
    for (const row of await lockWaitingAccess(transaction, waiting)) {
      head.sequence += 1;
      head.hash = chainedHash(head.hash, accessContent(row, head.sequence));
      await updateSealedAccess(transaction, { id: row.id, ...head });
      count += 1;
    }
  }
  if (count > 0) await updateHead(transaction, { ...key, ...head });
  return count;
}

/**
 * Deletes entries from the start of the data-access log that are older than a time, and keeps the number and the hash of the last
 * of them, from which the rest of the chain is verified.
 */
export async function deleteOldAccess(
  dependencies: ChainDependencies,
  { organizationId, before }: { readonly organizationId: string; readonly before: string },
  stopped: AbortSignal,
): Promise<void> {
  const key = { organizationId, log: 'access' } as const;
  await sealLog(dependencies, key, stopped);
  let count = maxBatch;
  while (count === maxBatch && !stopped.aborted) {
    count = await dependencies.database.writeSlowly(async (transaction) => {
      const chain = await lockChain(transaction, key);
      return chain === undefined ? 0 : deleteBatch(transaction, organizationId, chain, before);
    });
  }
}

async function deleteBatch(
  transaction: Transaction,
  organizationId: string,
  chain: Chain,
  before: string,
): Promise<number> {
  const from = chain.anchorSequence + 1;
  const rows = await selectSealedAccess(transaction, { organizationId, from, limit: maxBatch });
  const firstKept = rows.findIndex(({ lastAt }) => lastAt >= before);
  const old = firstKept === -1 ? rows : rows.slice(0, firstKept);
  const last = old.at(-1);
  if (last === undefined) return 0;
  await deleteStart(transaction, { organizationId, until: last.sequence });
  const { sequence, hash } = last;
  await updateAnchor(transaction, { organizationId, log: 'access', sequence, hash: hash ?? '' });
  return old.length;
}

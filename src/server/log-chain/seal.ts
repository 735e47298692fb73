import { randomBytes } from 'node:crypto';
import type { LogEntry } from '#contract/organizations/log-stream.ts';
import type { FirstRows } from '../base/paging.ts';
import { hoursMs, minutesMs, timestamp, type Clock } from '../base/clock.ts';
import { publishEvent } from '../events/events.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { accessContent, auditContent, chainedHash, firstHash, hashOfDetails } from './content.ts';
import { toAccessEntry, toAuditEntry } from './entries.ts';
import { logs, type AccessRow, type AuditRow, type ChainKey } from './rows.ts';
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

/** Seals what a log of an organization has, until `stopped` is aborted. */
export async function sealLog(
  dependencies: ChainDependencies,
  key: ChainKey,
  stopped: AbortSignal,
): Promise<void> {
  let hasMore = true;
  while (hasMore && !stopped.aborted) hasMore = await sealSome(dependencies, key);
}

/** Seals the next entries of a log of an organization, which exists. Returns whether there are more. */
export const sealSome = ({ database, clock }: ChainDependencies, key: ChainKey): Promise<boolean> =>
  database.write((transaction) => sealBatch(transaction, key, closedBefore(clock())));

async function sealBatch(transaction: Transaction, key: ChainKey, closed: string): Promise<boolean> {
  const { organizationId, log } = key;
  await addChain(transaction, key, firstHash);
  // The lock of the chain comes before those of its entries, so that processes take them in the same order.
  const chain = await lockChain(transaction, key);
  if (chain === undefined) return false;
  const waiting = { organizationId, closedBefore: closed, limit: maxBatch };
  const { rows: entries, hasMore } =
    log === 'audit'
      ? await sealAudit(transaction, chain, await lockWaitingAudit(transaction, waiting))
      : await sealAccess(transaction, chain, await lockWaitingAccess(transaction, waiting));
  const last = entries.at(-1);
  if (last === undefined) return false;
  await updateHead(transaction, { ...key, sequence: last.sequence, hash: last.hash });
  await publish(transaction, key, entries);
  return hasMore;
}

async function sealAudit(
  transaction: Transaction,
  chain: Chain,
  { rows, hasMore }: FirstRows<AuditRow>,
): Promise<FirstRows<LogEntry>> {
  let { sequence, hash } = chain;
  const entries: LogEntry[] = [];
  for (const row of rows) {
    const detailsSalt = randomBytes(16).toString('hex');
    const detailsHash = hashOfDetails(detailsSalt, row.details);
    sequence += 1;
    hash = chainedHash(hash, auditContent(row, sequence, detailsHash));
    const sealed = { sequence, hash, detailsSalt, detailsHash };
    await updateSealedAudit(transaction, { id: row.id, ...sealed });
    entries.push(toAuditEntry({ ...row, ...sealed }));
  }
  return { rows: entries, hasMore };
}

async function sealAccess(
  transaction: Transaction,
  chain: Chain,
  { rows, hasMore }: FirstRows<AccessRow>,
): Promise<FirstRows<LogEntry>> {
  let { sequence, hash } = chain;
  const entries: LogEntry[] = [];
  for (const row of rows) {
    sequence += 1;
    hash = chainedHash(hash, accessContent(row, sequence));
    await updateSealedAccess(transaction, { id: row.id, sequence, hash });
    entries.push(toAccessEntry({ ...row, sequence, hash }));
  }
  return { rows: entries, hasMore };
}

const maxPublished = 50;

/** Stores the entries for the webhooks that want them, in order. */
async function publish(
  transaction: Transaction,
  { organizationId, log }: ChainKey,
  entries: readonly LogEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += maxPublished) {
    const batch = entries.slice(start, start + maxPublished);
    const [first] = batch;
    if (first === undefined) return;
    await publishEvent(transaction, {
      organizationId,
      type: `log.${log}`,
      at: first.at,
      describe: () => ({ entries: batch }),
      position: first.sequence,
    });
  }
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
  let hasMore = true;
  while (hasMore && !stopped.aborted) {
    hasMore = await dependencies.database.writeSlowly(async (transaction) => {
      const chain = await lockChain(transaction, key);
      return chain !== undefined && deleteBatch(transaction, organizationId, chain, before);
    });
  }
}

/** Deletes some of them. Returns whether there are more. */
async function deleteBatch(
  transaction: Transaction,
  organizationId: string,
  chain: Chain,
  before: string,
): Promise<boolean> {
  const from = chain.anchorSequence + 1;
  const { rows, hasMore } = await selectSealedAccess(transaction, { organizationId, from, limit: maxBatch });
  const firstKept = rows.findIndex(({ lastAt }) => lastAt >= before);
  const old = firstKept === -1 ? rows : rows.slice(0, firstKept);
  const last = old.at(-1);
  if (last === undefined) return false;
  await deleteStart(transaction, { organizationId, until: last.sequence });
  const { sequence, hash } = last;
  await updateAnchor(transaction, { organizationId, log: 'access', sequence, hash: hash ?? '' });
  return hasMore && firstKept === -1;
}

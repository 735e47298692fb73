import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { codeOf } from '../base/errors.ts';
import { quarantineName, sourceDirectory } from '../data-sources/tables/files.ts';
import { areFilesHeld } from '../data-sources/tables/leases.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { mergeWords } from '../storage/full-text.ts';
import { tableNames, tableBelonging, type TableName } from '../storage/tables/belonging.ts';
import { createRestoreLinks, mailDeletion, mailEnd } from './mails.ts';
import { beginPurge, finishRemoval, removeEntries, removeRows, selectSourceIds } from './purge-store.ts';
import { claimNotice, purgeStates, selectDeleted, selectOwnersOfDeleted } from './store.ts';

/** Dependencies of deleting the data of organizations. */
export interface PurgeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  /** The directory with the uploaded tables of all organizations, or with their copies. */
  readonly directory: string;
  /** Deletes all files of a data source from other storage; undefined if the files are in the directory. */
  readonly removeRemote: ((path: string) => Promise<void>) | undefined;
  readonly onPurged: (organizationId: string) => void;
}

const noticeMs = daysMs(7);

/** A batch is made larger or smaller, so that other writes wait for about this long. */
const batchMs = 40;
const [minRows, maxRows] = [10, 5_000];

/**
 * Mails owners a week before the data of their organization is deleted, and deletes the data of organizations whose time has
 * ended. Everything is deleted in small transactions, in an order in which any of them can be the last one: the next
 * run continues. A file that can't be removed fails the job, which tries again; other organizations aren't affected.
 */
export async function purgeOrganizations(
  dependencies: PurgeDependencies,
  stopped: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const { id, name, endsAt, noticed, purging } of await selectDeleted(dependencies.database)) {
    if (stopped.aborted) return;
    const leftMs = Date.parse(endsAt) - dependencies.clock();
    if (leftMs > 0) {
      if (noticed === 0 && leftMs <= noticeMs) await notifyOwners(dependencies, { id, name, endsAt });
      continue;
    }
    if (purging === purgeStates.removed) continue;
    try {
      if (purging === purgeStates.notBegun) await begin(dependencies, { id, name });
      await removeAll(dependencies, id, stopped);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Makes what `purgeOrganizations` has deleted unreadable in the files of the database, once for all organizations, since writes wait
 * meanwhile. Only then is the row of each organization deleted, so that the next run continues what was interrupted. Returns
 * 'held' if nothing was erased because a backup or an export holds the files. What fails for one organization doesn't affect others.
 */
export async function eraseOrganizations(
  dependencies: PurgeDependencies,
  stopped: AbortSignal,
): Promise<'done' | 'held'> {
  const { database } = dependencies;
  const pending = (await selectDeleted(database)).filter(({ purging }) => purging === purgeStates.removed);
  const ids: string[] = [];
  const failures: unknown[] = [];
  for (const { id } of pending) {
    try {
      // Requests that were in progress may have stored something since.
      if (await removeAll(dependencies, id, stopped)) ids.push(id);
    } catch (error) {
      failures.push(error);
    }
    if (stopped.aborted) return 'done';
  }
  if (ids.length > 0) await erase(dependencies, ids, stopped);
  if (failures.length > 0) throw failures[0];
  return pending.length > 0 && ids.length === 0 ? 'held' : 'done';
}

async function erase(
  { database, onPurged }: PurgeDependencies,
  ids: readonly string[],
  stopped: AbortSignal,
): Promise<void> {
  while (await mergeWords(database)) if (stopped.aborted) return;
  await database.erase(erased);
  await database.write(async (transaction) => {
    for (const organizationId of ids)
      for (const table of ['audit_entries', 'access_entries', 'log_chains', ...last] as const)
        await removeRows(transaction, table, { organizationId, limit: maxRows });
  });
  await database.erase([]);
  for (const id of ids) onPurged(id);
}

async function notifyOwners(
  { database, publicUrl, mailer }: PurgeDependencies,
  organization: { readonly id: string; readonly name: string; readonly endsAt: string },
): Promise<void> {
  if (!mailer.isConfigured) return;
  const owners = await database.write(async (transaction) =>
    (await claimNotice(transaction, organization.id))
      ? createRestoreLinks(transaction, organization.id, publicUrl)
      : [],
  );
  await mailDeletion(mailer, owners, organization);
}

/** Begins to delete an organization, which can't be restored from then on. */
async function begin(
  { database, clock, mailer }: PurgeDependencies,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const owners = await selectOwnersOfDeleted(database, id);
  const now = timestamp(clock());
  const hasBegun = await database.write((transaction) =>
    beginPurge(transaction, { organizationId: id, now }),
  );
  const emails = owners.filter(({ isEmailVerified }) => isEmailVerified === 1).map(({ email }) => email);
  if (hasBegun) await mailEnd(mailer, emails, { id, name });
}

/** These rows are deleted together at the end: they are what the next run continues by. */
const last: readonly TableName[] = ['deleted_organizations', 'organizations'];

const tables = tableNames.filter((table) => tableBelonging[table].to.length > 0);
/** Those in whose files something of an organization may be left. */
const erased: readonly TableName[] = [...tables, 'limited_attempts'];

/** Deletes the files and rows of an organization, without the last ones. Returns false if the next run has to continue. */
async function removeAll(
  dependencies: PurgeDependencies,
  organizationId: string,
  stopped: AbortSignal,
): Promise<boolean> {
  const { database, clock } = dependencies;
  // A backup, or an export of the organization, may be about to copy the files.
  if (await areFilesHeld(database, clock, organizationId)) return false;
  await removeFiles(dependencies, organizationId);
  for (const table of tables) {
    if (last.includes(table)) continue;
    const remove = (transaction: Transaction, limit: number) =>
      table === 'dashboard_entries'
        ? removeEntries(transaction, { organizationId, limit })
        : removeRows(transaction, table, { organizationId, limit });
    if (!(await inBatches(database, remove, stopped))) return false;
  }
  await database.write((transaction) => finishRemoval(transaction, organizationId));
  return true;
}

/** Returns false if it was stopped before all was removed. */
async function inBatches(
  database: Database,
  remove: (transaction: Transaction, limit: number) => Promise<number>,
  stopped: AbortSignal,
): Promise<boolean> {
  let limit = 100;
  for (;;) {
    if (stopped.aborted) return false;
    const startedAt = performance.now();
    const size = limit;
    const count = await database.writeSlowly((transaction) => remove(transaction, size));
    if (count < size) return true;
    const factor = batchMs / Math.max(1, performance.now() - startedAt);
    limit = Math.round(Math.min(maxRows, Math.max(minRows, limit * Math.min(2, Math.max(0.25, factor)))));
  }
}

/** Removes all files of an organization, also those that belong to none of its tables. */
async function removeFiles(
  { database, directory, removeRemote }: PurgeDependencies,
  organizationId: string,
): Promise<void> {
  if (removeRemote !== undefined)
    for (const id of await selectSourceIds(database, organizationId))
      await removeRemote(sourceDirectory(directory, organizationId, id));
  const quarantine = join(directory, quarantineName);
  const days = await namesIn(quarantine);
  for (const path of [directory, ...days.map((day) => join(quarantine, day))])
    await rm(join(path, organizationId), { recursive: true, force: true });
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

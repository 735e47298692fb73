import type { Readable } from 'node:stream';
import { createAttemptCounts, type AttemptCounts } from '../accounts/attempt-counts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { minutesMs, type Clock } from '../base/clock.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { tooManyAttempts } from '../base/rate-limit.ts';
import { createArchive } from '../data-export/archive/archive.ts';
import { createExportSlots, type ExportSlots } from '../exports/slots.ts';
import { listOrganizationIds } from '../organizations/authorization.ts';
import type { Database } from '../storage/database.ts';
import {
  findAccountData,
  readIdentities,
  readInvitations,
  readMemberships,
  readPasskeys,
  readSessions,
  readTokens,
} from './account-queries.ts';
import {
  readComments,
  readDashboards,
  readDataSources,
  readFolders,
  readPersonalDashboards,
  readReports,
  readStars,
  readVisits,
} from './content-queries.ts';
import { readAccess, readAudit } from './log-queries.ts';
import { readme } from './readme.ts';

export interface AccountExportDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly counts: AttemptCounts;
  readonly slots: ExportSlots;
}

/** How many exports a person can start in 15 minutes. */
const maxExports = 5;

/**
 * How many exports of accounts run at once on a server, and of one person. None waits for its turn. Each has at most two chunks in memory
 * while its client doesn't read.
 */
const limits = {
  maxWorkers: 16,
  reservedWorkers: 4,
  maxWorkersPerOrganization: 1,
  maxWaitingPerOrganization: 0,
  maxWaitMs: 0,
};
const maxDurationMs = minutesMs(30);

/** Returns what `exportAccount` needs, with counts of exports that all processes share. */
export const accountExportDependencies = (database: Database, clock: Clock): AccountExportDependencies => ({
  database,
  clock,
  counts: createAttemptCounts(database, clock),
  slots: createExportSlots(limits),
});

/**
 * Returns an archive with the data of the actor's account: only what belongs to organizations that this session can use. Each of them
 * has it in its audit log before anything is sent. Throws `confirmation_required`, `too_many_attempts`, and `exports_busy` if another
 * export of the person runs, or too many others.
 */
export async function exportAccount(
  dependencies: AccountExportDependencies,
  actor: Actor,
  left: AbortSignal,
): Promise<Readable> {
  requireConfirmation(actor, dependencies.clock);
  const started = Promise.withResolvers<Readable>();
  const run = async (): Promise<void> => {
    const signal = AbortSignal.any([left, AbortSignal.timeout(maxDurationMs)]);
    const archive = await startArchive(dependencies, actor, signal);
    const closed = new Promise<void>((resolve) => archive.once('close', resolve));
    started.resolve(archive);
    await closed;
  };
  const { userId } = actor;
  dependencies.slots.run({ tenant: { kind: 'personal', userId }, userId }, left, run).catch(started.reject);
  return started.promise;
}

async function startArchive(
  { database, clock, counts }: AccountExportDependencies,
  actor: Actor,
  signal: AbortSignal,
): Promise<Readable> {
  const { userId } = actor;
  const reached = await counts.add([{ key: `account export ${userId}`, limit: maxExports }]);
  if (reached !== undefined) throw tooManyAttempts({ ...reached, windowMs: counts.windowMs });
  const organizationIds = await listOrganizationIds(database, actor);
  await database.write(async (transaction) => {
    for (const organizationId of organizationIds)
      await recordAudit(transaction, clock, { organizationId, action: 'account.exported', actor });
  });
  const isWhole = actor.scope === 'all';
  const scope = { userId, organizationIds, limitedTo: isWhole ? undefined : actor.scope.organizationId };
  return createArchive({
    about: { format: 'atrium.account-export', formatVersion: 1, person: { id: userId } },
    exportedAt: clock(),
    signal,
    async write(archive) {
      await archive.addText({ name: 'README', ending: 'txt' }, readme);
      await archive.addJson({ name: 'account', ending: 'json' }, await findAccountData(database, scope));
      const lists: readonly (readonly [name: string, rows: AsyncIterable<object>])[] = [
        ['memberships', readMemberships(database, scope)],
        ['sessions', readSessions(database, scope)],
        ...(isWhole ? ([['passkeys', readPasskeys(database, scope)]] as const) : []),
        ['tokens', readTokens(database, scope)],
        ['directory-identities', readIdentities(database, scope)],
        ['invitations', readInvitations(database, scope)],
        ...(isWhole ? ([['personal-dashboards', readPersonalDashboards(database, scope)]] as const) : []),
        ['dashboards', readDashboards(database, scope)],
        ['reports', readReports(database, scope)],
        ['folders', readFolders(database, scope)],
        ['data-sources', readDataSources(database, scope)],
        ['comments', readComments(database, scope)],
        ['stars', readStars(database, scope)],
        ['visits', readVisits(database, scope)],
        ['audit-log', readAudit(database, scope)],
        ['access-log', readAccess(database, scope)],
      ];
      for (const [name, rows] of lists) await archive.addLines({ name, ending: 'ndjson' }, parsed(rows));
      return {};
    },
  });
}

/** What is stored as JSON in a column. */
const jsonColumns = new Set(['widgets', 'content']);

/** Yields rows with the JSON in their columns as objects. */
async function* parsed(rows: AsyncIterable<object>): AsyncGenerator<object> {
  for await (const row of rows) {
    yield Object.fromEntries(
      Object.entries(row).map(([name, value]: [string, unknown]) => [
        name,
        jsonColumns.has(name) && typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
      ]),
    );
  }
}

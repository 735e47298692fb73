import { sweepAccessLog } from './access-log/retention.ts';
import { daysMs, minutesMs, type Clock } from './base/clock.ts';
import { sweepOAuth } from './credentials/oauth/store.ts';
import { sweepTokens } from './credentials/tokens.ts';
import { dashboardKind } from './dashboards/kind.ts';
import { sweepEditors } from './dashboards/live/editors.ts';
import { queryDirectory } from './data-sources/tables/files.ts';
import type { S3Files } from './data-sources/tables/s3/s3-files.ts';
import { sweepSourceFiles, sweepSpilled, type Quarantined } from './data-sources/tables/sweep.ts';
import { purgeOldFolders } from './folders/trash.ts';
import { sweepIdempotencyKeys } from './idempotency/idempotency.ts';
import { reportsOnDashboards } from './dashboards/uses.ts';
import { endCredentials } from './end-membership.ts';
import { sweepProposals } from './proposals/proposals.ts';
import { sealLogs } from './log-chain/seal.ts';
import type { Mailer } from './mail/mailer.ts';
import { purgeOld } from './records/trash.ts';
import { sweepAttempts } from './accounts/attempt-counts.ts';
import { sweepPendingSignIns } from './accounts/second-factor/pending-sign-in.ts';
import { sweepPasswordResets } from './accounts/password-reset/password-reset.ts';
import type { SecretBox } from './base/credentials/secret-box.ts';
import { sweepResults } from './results/cache-directory.ts';
import { sweepInvitations } from './organizations/invitations/invitations.ts';
import { sweepSessions } from './sessions/sessions.ts';
import type { ResolveTxt } from './sso/domains/record.ts';
import { purgeOldSources } from './data-sources/trash.ts';
import { purgeOldTables } from './data-sources/tables/trash.ts';
import { sweepUploadRows } from './data-sources/uploads/store.ts';
import { recheckDomains } from './sso/domains/checks.ts';
import { sweepSignIns } from './sso/sign-in/sweep.ts';
import { resultsDirectory, sourcesDirectory } from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import { sweepDeliveries } from './webhooks/sender.ts';
import type { MaintenanceJob } from './maintenance.ts';

/** Dependencies of the maintenance jobs. */
export interface MaintenanceDependencies {
  readonly dataDirectory: string;
  /** Undefined if uploaded tables are in the data directory. */
  readonly s3Files?: S3Files | undefined;
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly resolveTxt: ResolveTxt;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly onQuarantined: (moved: Quarantined) => void;
  /** Called with the ID of an organization of which nothing is left. */
  readonly onOrganizationPurged: (organizationId: string) => void;
}

/** Returns the jobs that delete expired data, check domains again, replace certificates, and notify people before tokens expire. */
export function maintenanceJobs({
  dataDirectory,
  s3Files,
  database,
  clock,
  secretBox,
  resolveTxt,
  mailer,
  publicUrl,
  onQuarantined,
  onOrganizationPurged,
}: MaintenanceDependencies): MaintenanceJob[] {
  const purge = {
    database,
    clock,
    mailer,
    publicUrl,
    directory: s3Files?.directory ?? sourcesDirectory(dataDirectory),
    removeRemote: s3Files?.removeDirectory,
    onPurged: onOrganizationPurged,
  };
  return [
    { name: 'delete sessions that have ended', run: () => sweepSessions(database, clock) },
    { name: 'delete expired requests of OAuth clients', run: () => sweepOAuth(database, clock) },
    {
      name: 'mail people before tokens expire',
      run: async (stopped) => {
        const { mailExpiryNotices } = await import('./credentials/notices/notices.ts');
        await mailExpiryNotices({ database, clock, mailer, publicUrl }, stopped);
      },
    },
    {
      name: 'create and use the next certificates',
      run: async (stopped) => {
        const { rotateCertificates } = await import('./sso/certificates/certificates.ts');
        await rotateCertificates({ database, clock, secretBox }, stopped);
      },
    },
    {
      name: 'mail owners before client secrets and certificates expire',
      run: async (stopped) => {
        const { mailSecretNotices } = await import('./sso/notices/notices.ts');
        await mailSecretNotices({ database, clock, mailer, publicUrl }, stopped);
      },
    },
    {
      name: 'suspend deactivated people who were the last owner',
      everyMs: minutesMs(1),
      run: async (stopped) => {
        const { suspendFormerLastOwners } = await import('./scim/users/deactivated.ts');
        const dependencies = { database, clock, endCredentials: endCredentials(clock) };
        await suspendFormerLastOwners(dependencies, stopped);
      },
    },
    {
      name: 'delete the data of deleted organizations',
      everyMs: minutesMs(10),
      remedy: 'If a file can’t be removed, check the permissions of the data directory.',
      run: async (stopped) => {
        const { purgeOrganizations } = await import('./organization-deletion/purge.ts');
        await purgeOrganizations(purge, stopped);
      },
    },
    {
      name: 'erase deleted organizations from the database files',
      // Writes wait meanwhile, and anyone who may create organizations can delete them.
      everyMs: daysMs(1),
      remedy: 'Check that the disk has as much free space as the database needs.',
      run: async (stopped) => {
        const { eraseOrganizations } = await import('./organization-deletion/purge.ts');
        const result = await eraseOrganizations(purge, stopped);
        return { againMs: result === 'held' ? minutesMs(10) : undefined };
      },
    },
    { name: 'delete tokens that expired', run: () => sweepTokens({ database, clock }) },
    {
      name: 'delete sign-ins whose second factor was not entered',
      run: () => sweepPendingSignIns(database, clock),
    },
    { name: 'delete expired invitations', run: () => sweepInvitations(database, clock) },
    { name: 'delete expired links for resetting passwords', run: () => sweepPasswordResets(database, clock) },
    {
      name: 'empty the trash of dashboards',
      run: (stopped) => purgeOld({ database, clock }, dashboardKind, stopped),
    },
    {
      name: 'empty the trash of reports',
      run: (stopped) => purgeOld({ database, clock }, reportsOnDashboards(database), stopped),
    },
    {
      name: 'empty the trash of folders',
      run: (stopped) => purgeOldFolders({ database, clock }, stopped),
    },
    { name: 'delete people who no longer edit a dashboard', run: () => sweepEditors(database, clock) },
    {
      name: 'empty the trash of data sources',
      run: (stopped) => purgeOldSources({ database, clock }, stopped),
    },
    { name: 'empty the trash of tables', run: (stopped) => purgeOldTables(database, clock, stopped) },
    { name: 'delete uploads that were never imported', run: () => sweepUploadRows(database, clock) },
    {
      name: 'delete unused files of tables',
      isLocal: true,
      run: async (stopped) => {
        // Only one server uses an embedded database.
        const isSole = database.engine === 'SQLite';
        const directory = sourcesDirectory(dataDirectory);
        await sweepSpilled(clock, queryDirectory(dataDirectory), isSole);
        if (s3Files === undefined)
          await sweepSourceFiles(database, clock, { directory, isSole }, stopped, onQuarantined);
        else await s3Files.sweepCache(clock, stopped);
      },
    },
    {
      name: 'delete cached results of servers that have crashed',
      isLocal: true,
      run: () => sweepResults(clock, resultsDirectory(dataDirectory)),
    },
    {
      name: 'seal the entries of logs',
      everyMs: minutesMs(1),
      run: (stopped) => sealLogs({ database, clock }, stopped),
    },
    {
      name: 'delete old entries of data-access logs',
      run: (stopped) => sweepAccessLog({ database, clock }, stopped),
    },
    { name: 'delete old counts of failed sign-ins', run: () => sweepAttempts(database, clock) },
    ...(s3Files === undefined
      ? []
      : [
          {
            name: 'delete unused objects of tables',
            run: (stopped: AbortSignal) => s3Files.sweepObjects(clock, stopped, onQuarantined),
          },
        ]),
    {
      name: 'remove deleted people from logs',
      everyMs: minutesMs(5),
      run: async (stopped) => {
        const { forgetDeleted } = await import('./account-deletion/forget.ts');
        await forgetDeleted({ database, clock }, stopped);
      },
    },
    { name: 'delete expired proposals', run: () => sweepProposals(database, clock) },
    { name: 'delete expired idempotency keys', run: () => sweepIdempotencyKeys(database, clock) },
    {
      name: 'delete old deliveries of webhooks',
      run: () => sweepDeliveries(database, clock),
    },
    { name: 'delete sign-ins that were never completed', run: () => sweepSignIns(database, clock) },
    {
      name: 'check verified domains',
      run: (stopped) =>
        recheckDomains(database, clock, async (name) =>
          stopped.aborted ? { failure: 'The server is shutting down' } : resolveTxt(name),
        ),
    },
  ];
}

import type { Clock } from './base/clock.ts';
import { dashboardKind } from './dashboards/kind.ts';
import { sweepEditors } from './dashboards/live/editors.ts';
import { queryDirectory } from './data-sources/tables/files.ts';
import { sweepSourceFiles, sweepSpilled, type Quarantined } from './data-sources/tables/sweep.ts';
import { sweepIdempotencyKeys } from './idempotency/idempotency.ts';
import { reportsOnDashboards } from './dashboards/uses.ts';
import { purgeOld } from './records/trash.ts';
import { sweepPasswordResets } from './accounts/password-reset.ts';
import { sweepSessions } from './sessions/sessions.ts';
import type { ResolveTxt } from './sso/domains/record.ts';
import { recheckDomains } from './sso/domains/checks.ts';
import { sweepSignIns } from './sso/sign-in/sweep.ts';
import { sourcesDirectory } from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import type { TidyingJob } from './maintenance.ts';

export interface TidyingParts {
  readonly dataDirectory: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly resolveTxt: ResolveTxt;
  readonly onQuarantined: (moved: Quarantined) => void;
}

/** What is forgotten once it has ended, and what is asked again. */
export function tidyingJobs({
  dataDirectory,
  database,
  clock,
  resolveTxt,
  onQuarantined,
}: TidyingParts): TidyingJob[] {
  return [
    { name: 'sessions that have ended', run: () => sweepSessions(database, clock) },
    { name: 'links that reset passwords', run: () => sweepPasswordResets(database, clock) },
    {
      name: 'the trash of dashboards',
      run: (stopped) => purgeOld({ database, clock }, dashboardKind, stopped),
    },
    {
      name: 'the trash of reports',
      run: (stopped) => purgeOld({ database, clock }, reportsOnDashboards(database), stopped),
    },
    { name: 'those who were editing', run: () => sweepEditors(database, clock) },
    {
      name: 'the files of tables',
      run: async (stopped) => {
        // The embedded database is one server's.
        const isSole = database.engine === 'SQLite';
        const directory = sourcesDirectory(dataDirectory);
        await sweepSpilled(clock, queryDirectory(dataDirectory), isSole);
        await sweepSourceFiles(database, clock, { directory, isSole }, stopped, onQuarantined);
      },
    },
    { name: 'idempotency keys', run: () => sweepIdempotencyKeys(database, clock) },
    { name: 'sign-ins that never came back', run: () => sweepSignIns(database, clock) },
    {
      name: 'proofs of domains',
      run: (stopped) =>
        recheckDomains(database, clock, async (name) =>
          stopped.aborted ? { failure: 'The server stops' } : resolveTxt(name),
        ),
    },
  ];
}

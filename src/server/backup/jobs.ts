import { daysMs, type Clock } from '../base/clock.ts';
import { operatorCommand } from '../base/program.js';
import type { MaintenanceJob } from '../maintenance.ts';
import type { RunCommand } from './run-command.ts';
import { backUpIfDue, describeFaults, type BackupSchedule } from './schedule.ts';

/** Dependencies of the jobs. */
interface BackupJobDependencies {
  /** Undefined if the server makes no backups by itself. */
  readonly schedule: BackupSchedule | undefined;
  /** The id of the database. */
  readonly instanceId: string;
  readonly clock: Clock;
  readonly runCommand: RunCommand;
  readonly onBackedUp: (directory: string) => void;
}

/** How fast uploaded tables are read, in mebibytes per second: slowly, since nobody waits for it. */
const checkRate = '20';

/** Returns the jobs that make backups and look for damage. A job fails as long as the last backup failed, or there is damage. */
export function backupJobs({
  schedule,
  runCommand,
  ...dependencies
}: BackupJobDependencies): MaintenanceJob[] {
  const check: MaintenanceJob = {
    name: 'check the database and the files for damage',
    everyMs: daysMs(1),
    remedy: `To list what is damaged, run ${operatorCommand} verify. Then restore it from a backup.`,
    run: async (stopped) => {
      const { exitCode, output, errorOutput } = await runCommand(
        ['verify', '--rate', checkRate, '--json'],
        stopped,
      );
      if (exitCode !== 0 && !stopped.aborted) throw new Error(describeFaults(output) ?? errorOutput);
    },
  };
  if (schedule === undefined) return [check];
  return [
    check,
    {
      name: 'back up',
      remedy: 'Look for the cause in the log. Check the disk of ATRIUM_BACKUP_DIR.',
      run: (stopped) => backUpIfDue({ ...dependencies, schedule, runCommand }, stopped),
    },
  ];
}

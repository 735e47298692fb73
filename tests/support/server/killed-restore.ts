import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RestoreStep } from '../../../src/server/backup/restore/steps.ts';
import type { TestPlace } from './test-server.ts';

const program = fileURLToPath(new URL('killed-restore-program.ts', import.meta.url));

/** What the program that restores a backup is given. */
export interface KilledRestore {
  readonly backup: string;
  readonly place: Omit<TestPlace, 'drop'>;
  /** The step after which the process kills itself. */
  readonly killAfter: RestoreStep;
}

/** Restores a backup in a process of its own that is killed after a step; returns how the process ended. */
export const restoreUntilKilled = (
  backup: string,
  { databaseUrl, dataDirectory }: Omit<TestPlace, 'drop'>,
  killAfter: RestoreStep,
): { readonly signal: NodeJS.Signals | null; readonly stderr: string } => {
  const given: KilledRestore = { backup, place: { databaseUrl, dataDirectory }, killAfter };
  return spawnSync(process.execPath, [program, JSON.stringify(given)], { encoding: 'utf8' });
};

import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { daysMs, hoursMs, minutesMs, timestamp, type Clock } from '../base/clock.ts';
import { incompleteFile, readManifest, type Manifest } from './manifest.ts';
import type { RunCommand } from './run-command.ts';

/** The backups that a server makes by itself. */
export interface BackupSchedule {
  readonly directory: string;
  readonly everyHours: number;
  readonly keepCount: number;
}

interface ScheduleDependencies {
  readonly schedule: BackupSchedule;
  readonly instanceId: string;
  readonly clock: Clock;
  readonly runCommand: RunCommand;
  readonly onBackedUp: (directory: string) => void;
}

/** The job runs every hour, a little later each time. */
const earlyMs = minutesMs(30);

/**
 * Makes a backup if the last one is old enough, and then removes the oldest ones that are too many. Throws if the backup fails
 * or the server has damage; the next call tries again.
 */
export async function backUpIfDue(dependencies: ScheduleDependencies, stopped: AbortSignal): Promise<void> {
  const { schedule, instanceId, clock, runCommand, onBackedUp } = dependencies;
  const lastAt = await lastBackupAt(schedule.directory, instanceId);
  if (lastAt !== undefined && clock() - lastAt < hoursMs(schedule.everyHours) - earlyMs) return;
  const directory = join(schedule.directory, nameOf(clock()));
  const { exitCode, output, errorOutput } = await runCommand(['backup', directory, '--json'], stopped);
  if (stopped.aborted) return rm(directory, { recursive: true, force: true });
  await removeOldBackups(schedule, instanceId, clock);
  if (exitCode !== 0) throw new Error(describeFaults(output) ?? errorOutput);
  onBackedUp(directory);
}

/** Returns when the last backup without faults was made, in milliseconds since 1970; undefined if there is none. */
export async function lastBackupAt(directory: string, instanceId: string): Promise<number | undefined> {
  const last = (await listBackups(directory, instanceId)).findLast(isWhole);
  return last && Date.parse(last.manifest.createdAt);
}

interface Backup {
  readonly path: string;
  readonly manifest: Manifest;
}

const isWhole = ({ manifest }: Backup): boolean => manifest.faults.length === 0;

/** Such as `atrium-2026-11-22T03-00-00Z`. */
const nameOf = (time: number): string => `atrium-${timestamp(time).slice(0, 19).replaceAll(':', '-')}Z`;

/** Returns the complete backups of one server in a directory, the oldest first. Other servers may have theirs there, too. */
async function listBackups(directory: string, instanceId: string): Promise<Backup[]> {
  const backups: Backup[] = [];
  for (const path of await pathsIn(directory)) {
    const manifest = await readManifest(path).catch(() => undefined);
    if (manifest?.instanceId === instanceId) backups.push({ path, manifest });
  }
  return backups.toSorted((one, other) => (one.manifest.createdAt < other.manifest.createdAt ? -1 : 1));
}

async function removeOldBackups(
  { directory, keepCount }: BackupSchedule,
  instanceId: string,
  clock: Clock,
): Promise<void> {
  const backups = await listBackups(directory, instanceId);
  const kept = backups.slice(-keepCount);
  // If the server has damage, the last backup from before it is the only whole one.
  const lastWhole = backups.findLast(isWhole);
  for (const backup of backups)
    if (!kept.includes(backup) && backup !== lastWhole)
      await rm(backup.path, { recursive: true, force: true });
  for (const path of await pathsIn(directory))
    if (await isAbandoned(path, instanceId, clock)) await rm(path, { recursive: true, force: true });
}

const abandonedAfterMs = daysMs(1);

/** Whether a backup of this server was killed, and didn't remove its directory. */
async function isAbandoned(path: string, instanceId: string, clock: Clock): Promise<boolean> {
  const marker = incompleteFile(path);
  if (!existsSync(marker) || (await readFile(marker, 'utf8')) !== instanceId) return false;
  return (await stat(marker)).mtimeMs < clock() - abandonedAfterMs;
}

/** Returns the paths of the directories that have the name of a scheduled backup. */
async function pathsIn(directory: string): Promise<string[]> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  return names
    .filter((name) => /^atrium-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/.test(name))
    .map((name) => join(directory, name));
}

/** Returns the faults that a command printed with `--json`, or undefined if it printed none. */
export function describeFaults(output: string): string | undefined {
  // Sound because the commands print this.
  const { faults = [] } = (output === '' ? {} : JSON.parse(output)) as { faults?: readonly string[] };
  return faults.length === 0 ? undefined : faults.join('\n');
}

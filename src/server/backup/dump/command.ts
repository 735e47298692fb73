import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { StartError } from '../../base/errors.ts';

/** A command of the operator that dumps a PostgreSQL database to its standard output. */
export interface DumpCommand {
  readonly command: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Runs the operator's command, such as `pg_dump`, with a shell, and stores its standard output in a file. `ATRIUM_SNAPSHOT`
 * is the snapshot that it should use. Throws a `StartError` if it fails or writes nothing.
 */
export async function runDumpCommand(
  { command, environment }: DumpCommand,
  path: string,
  snapshot: string,
): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const child = spawn(command, {
      shell: true,
      env: { ...environment, ATRIUM_SNAPSHOT: snapshot },
      stdio: ['ignore', file.fd, 'pipe'],
    });
    let errorOutput = '';
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-4_000)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code !== 0)
      throw new StartError(`The command of --dump failed (${code ?? signal}):\n${errorOutput.trim()}`);
    await file.sync();
    if ((await file.stat()).size === 0)
      throw new StartError('The command of --dump wrote nothing to its standard output.');
  } finally {
    await file.close();
  }
}

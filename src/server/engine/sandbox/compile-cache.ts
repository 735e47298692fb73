import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../../package.json' with { type: 'json' };
import { programDirectory } from '../../base/program.js';
import type { QuerySandbox } from './sandbox.ts';

const program = fileURLToPath(new URL('../worker/compile-process.ts', import.meta.url));
const timeoutMs = 30_000;

/**
 * Stores the compiled code of the worker program, with which workers start in less than half the time, unless that was done
 * for this version of the program. Workers can only read it. It is written in the sandbox, because Node keeps a cache for each
 * user ID that it sees. Rejects if it can't be written; then workers compile the program themselves.
 */
export async function fillCompileCache(sandbox: QuerySandbox): Promise<void> {
  const { compiledCode: directory } = sandbox;
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stamp = join(directory, `${sandbox.state.kind}.json`);
  const version = programVersion();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === version) return;
  const view = { directory, readableFiles: [] };
  const launch = sandbox.launch(view, [program]);
  const child = spawn(launch.command, launch.args, {
    ...launch.options,
    // Other workers see it where they can't write.
    env: { ...launch.options.env, NODE_COMPILE_CACHE: launch.pathOf(directory) },
    stdio: 'ignore',
  });
  const timer = setTimeout(() => launch.kill(child), timeoutMs).unref();
  try {
    await once(child, 'exit');
    if (child.exitCode === 0) await writeFile(stamp, version);
  } finally {
    clearTimeout(timer);
    await launch.finish();
  }
}

/** Identifies Node and the files of the program. A changed file that is missed here is only compiled again by each worker. */
function programVersion(): string {
  const files = ['shared', join('server', 'engine')].flatMap((folder) => {
    const directory = join(programDirectory, 'src', folder);
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name));
  });
  const changedAt = Math.max(...files.map((file) => statSync(file).mtimeMs));
  const { version } = packageJson;
  return JSON.stringify({ version, node: process.version, fileCount: files.length, changedAt });
}

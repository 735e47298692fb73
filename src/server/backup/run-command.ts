import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { programDirectory } from '../base/program.js';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errorOutput: string;
}

/** Runs a command of the operator with the settings of the server, until it ends or is stopped. */
export type RunCommand = (words: readonly string[], stopped: AbortSignal) => Promise<CommandResult>;

/** Less than the server's own, so that requests go first. */
const priority = 10;

/** Returns a function that runs commands in processes of their own, so that they don't delay requests. */
export const createCommandRunner =
  (program: string, environment: NodeJS.ProcessEnv): RunCommand =>
  async (words, stopped) => {
    const file = join(programDirectory, 'src', 'atrium.js');
    const child = spawn(program, [file, 'server', ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) setPriority(child.pid, priority);
    let output = '';
    let errorOutput = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
    const stop = () => child.kill('SIGTERM');
    stopped.addEventListener('abort', stop);
    try {
      const [exitCode] = (await once(child, 'close')) as [number | null];
      return { exitCode, output: output.trim(), errorOutput: errorOutput.trim() };
    } finally {
      stopped.removeEventListener('abort', stop);
    }
  };

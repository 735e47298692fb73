import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { runCli } from './run.ts';

const { env, stdin, stdout, stderr } = process;

// A program that reads only the beginning, such as `head`, has what it needs.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), {
  environment: env,
  configDirectory: join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'atrium'),
  version: packageJson.version,
  fetch,
  now: Date.now,
  wait: (durationMs) => setTimeout(durationMs),
  readInput: () => buffer(stdin),
  write: (bytes) =>
    new Promise((resolve, reject) => stdout.write(bytes, (error) => (error ? reject(error) : resolve()))),
  warn: (line) => void stderr.write(`${line}\n`),
  isTerminal: stdout.isTTY,
  ...(stdin.isTTY && stderr.isTTY && { confirm }),
});

async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

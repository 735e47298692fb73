import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { fillCompileCache } from './compile-cache.ts';
import { programDirectory } from '../../base/program.js';

test('a worker loads the program from the compiled code, which is written once for each version', async (context) => {
  const sandbox = await testSandbox();
  if (sandbox.compiledCode === undefined) return;
  await fillCompileCache(sandbox);
  const stamp = join(sandbox.compiledCode, `${sandbox.state.kind}.json`);
  emptyDirectory(sandbox.compiledCode);
  await fillCompileCache(sandbox);
  const filledAt = statSync(stamp).mtimeMs;
  await fillCompileCache(sandbox);
  assert.equal(statSync(stamp).mtimeMs, filledAt);

  const parent = mkdtempSync(join(tmpdir(), 'atrium-compiled-'));
  context.after(() => rmSync(parent, { recursive: true }));
  const directory = join(parent, 'own');
  mkdirSync(directory);
  const engine = join(programDirectory, 'src', 'server', 'engine', 'duckdb', 'source.ts');
  const launch = sandbox.launch({ directory, readableFiles: [] }, [
    '--input-type=module',
    '--eval',
    `await import(${JSON.stringify(engine)})`,
  ]);
  const { stderr } = spawnSync(launch.command, launch.args, {
    ...launch.options,
    env: { ...launch.options.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    encoding: 'utf8',
  });
  const line = stderr
    .split('\n')
    .find((text) => text.includes('V8 code cache for ESM') && text.includes(engine));
  assert.match(line ?? stderr, /was accepted/);
});

/** Deletes the files of a directory, as if they were of another version. Its folders stay. */
function emptyDirectory(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) rmSync(join(entry.parentPath, entry.name), { force: true });
}

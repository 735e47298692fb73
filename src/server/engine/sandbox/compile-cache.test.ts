import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { fillCompileCache } from './compile-cache.ts';
import { compileCacheDirectory, programDirectory } from './program-files.ts';

test('a worker loads the program from the compiled code, which is written once', async (context) => {
  const sandbox = await testSandbox();
  if (sandbox.state.kind === 'separate_user') return;
  await fillCompileCache(sandbox);
  const stamp = join(compileCacheDirectory, `${sandbox.state.kind}.json`);
  const filledAt = statSync(stamp).mtimeMs;
  await fillCompileCache(sandbox);
  assert.equal(statSync(stamp).mtimeMs, filledAt);

  const parent = mkdtempSync(join(tmpdir(), 'atrium-compiled-'));
  context.after(() => rmSync(parent, { recursive: true }));
  const directory = join(parent, 'own');
  mkdirSync(directory);
  const engine = join(programDirectory, 'src', 'server', 'engine', 'duckdb', 'source.ts');
  const launch = sandbox.launch({ directory, readableFiles: [], hasNetwork: false }, [
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

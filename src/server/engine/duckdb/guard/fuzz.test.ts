import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expressionFunctions, tableFunctions } from './functions.ts';

const script = fileURLToPath(
  new URL('../../../../../tests/support/data-sources/duckdb-fuzz-process.ts', import.meta.url),
);

/** The calls are the same each time, so that only a change can make the test fail. CONTRIBUTING.md says how to run more. */
const seed = process.env['ATRIUM_TEST_SEED'] ?? '1';
const rounds = process.env['ATRIUM_FUZZ_ROUNDS'] ?? '1';

describe('the functions that a query of DuckDB may call', () => {
  it('do not cause internal errors in DuckDB, do not crash it, and can be stopped', async (context) => {
    context.diagnostic(`seed ${seed}`);
    const directory = await mkdtemp(join(tmpdir(), 'atrium-fuzz-'));
    context.after(() => rm(directory, { recursive: true, force: true }));
    const file = join(directory, 'query.sql');
    const names = [...expressionFunctions.union(tableFunctions)];
    const { findings, end } = await promisify(execFile)(
      process.execPath,
      [script, seed, rounds, file, ...names],
      {
        maxBuffer: 2 ** 26,
      },
    ).then(
      ({ stdout }) => ({ findings: stdout, end: undefined }),
      async (error: { stdout: string; stderr: string }) => ({
        findings: error.stdout,
        end: `${error.stderr}\n${await readFile(file, 'utf8')}`,
      }),
    );
    assert.deepEqual({ findings, end }, { findings: '', end: undefined }, `seed ${seed}`);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf } from './lines.ts';

test('reports after more than a response may have are not run, and each says so', async () => {
  const reports = Array.from({ length: 40 }, (_, index) => index);
  const run: number[] = [];
  const lines = await Array.fromAsync(
    linesOf(
      reports,
      async (report) => {
        run.push(report);
        return `${report}${'x'.repeat(100)}`;
      },
      (report) => `${report} refused`,
      1_000,
    ),
  );
  const refused = lines
    .filter((line) => String(line).endsWith('refused'))
    .map((line) => parseInt(String(line)));
  assert.equal(lines.length, 40);
  assert.ok(run.length >= 10 && run.length <= 10 + 16, `${run.length} were run`);
  assert.deepEqual(
    [...run, ...refused].toSorted((one, other) => one - other),
    reports,
  );
});

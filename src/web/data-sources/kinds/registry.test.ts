import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataSourceKinds } from '#contract/data-sources/kinds.ts';

test('every kind of data source has a folder with its form and its dialect, and there are no other folders', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(folders.map(({ name }) => name).toSorted(), dataSourceKinds.toSorted());
  const files = dataSourceKinds.flatMap((kind) => [join(kind, 'kind.tsx'), join(kind, 'dialect.ts')]);
  assert.deepEqual(
    files.filter((file) => !existsSync(join(import.meta.dirname, file))),
    [],
  );
});

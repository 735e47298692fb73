import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataSourceKinds } from '#contract/data-sources/kinds.ts';
import { dialectOfKind } from './dialects.ts';

test('every kind of data source has a dialect', () => {
  assert.deepEqual(Object.keys(dialectOfKind).toSorted(), dataSourceKinds.toSorted());
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf } from './save-file.ts';

test('a file name is valid on every system and can’t hide its extension', () => {
  assert.equal(fileNameOf('Sales  per region', 'csv'), 'Sales per region.csv');
  assert.equal(fileNameOf('../../a:b|c\n"d"', 'csv'), '.. .. a b c d.csv');
  // A right-to-left override would show `fdp.csv` as `vsc.pdf`.
  assert.equal(fileNameOf('Sales \u202efdp', 'csv'), 'Sales fdp.csv');
  assert.equal(fileNameOf('\u0000', 'csv'), 'report.csv');
});

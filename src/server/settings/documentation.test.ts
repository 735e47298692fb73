import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingsTable } from './table.ts';

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'operation', 'settings.md');
const ownerVariables = ['ATRIUM_OWNER_EMAIL', 'ATRIUM_OWNER_PASSWORD', 'ATRIUM_ORGANIZATION'];

/** Returns the texts in backticks of the first two columns of each row. */
function readRows(): { variables: string[]; defaults: string[] }[] {
  const rows = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const quoted = (cell = '') => Array.from(cell.matchAll(/`([^`]*)`/g), ([, text = '']) => text);
  return rows.map((row) => {
    const [, names, defaults] = row.split('|');
    return { variables: quoted(names), defaults: quoted(defaults) };
  });
}

test('every setting is documented once, with its default', () => {
  const rows = readRows();
  const settings = Object.values(settingsTable);
  assert.deepEqual(
    rows.flatMap(({ variables }) => variables).toSorted(),
    [...settings.map(({ variable }) => variable), ...ownerVariables].toSorted(),
  );
  for (const { variable, fallback } of settings) {
    const { variables, defaults } = rows.find((row) => row.variables.includes(variable)) ?? assert.fail();
    // Only what is the same everywhere: an absolute path, a list and "none" are described in words.
    if (fallback === undefined || typeof fallback === 'object' || variable === 'ATRIUM_DATA_DIR') continue;
    const index = defaults.length === variables.length ? variables.indexOf(variable) : 0;
    assert.equal(defaults[index], String(fallback), variable);
  }
});

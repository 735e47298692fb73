import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSource, readSources } from '../../scripts/language/sources.ts';
import { unwrappedTexts } from '../../scripts/language/unwrapped.ts';

/** Texts that look like texts of pages and are none. */
const exceptions = [
  // Pictures of pages of directories, which are in English there.
  'src/web/sso/register/sketches.ts',
  // Errors of the API.
  'src/server/exports/exports.ts',
];

test('texts outside of the catalogs are found where people see them', () => {
  const source = `
    const options = [{ value: 'a', label: 'First' }, { value: 'b', label: t('Second') }];
    export const Part = ({ isOpen }) => (
      <Box className={isOpen ? 'is-open' : 'is-closed'} title="Third" icon={<b>Fourth</b>}>
        Fifth {isOpen && 'Sixth'} {t('Seventh')} {count}
        <Input placeholder={\`Eighth \${name}\`} aria-label={isOpen ? t('Ninth') : 'Tenth'} type="text" />
      </Box>
    );
    notifyDone('Eleventh');`;
  const found = unwrappedTexts(parseSource('part.tsx', source)).flatMap((text) => text.split(': ')[1] ?? []);
  assert.deepEqual(found.toSorted(), [
    'Eighth …',
    'Eleventh',
    'Fifth',
    'First',
    'Fourth',
    'Sixth',
    'Tenth',
    'Third',
  ]);
});

test('every text that people see is a message of the catalogs', () => {
  const sources = readSources('src/web', 'src/charts', 'src/server/exports').filter(
    ({ path }) => !exceptions.includes(path),
  );
  assert.deepEqual(
    sources.flatMap(unwrappedTexts),
    [],
    'Write them with t() or rich(), as CONTRIBUTING.md says.',
  );
});

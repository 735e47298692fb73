import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { thirdPartyLicenses } from '../../scripts/package/licenses.ts';

describe('the licenses of a release', () => {
  const place = mkdtempSync(join(tmpdir(), 'atrium-licenses-'));
  after(() => rmSync(place, { recursive: true }));

  /** Returns the licenses of a release with one package. */
  function licensesOf(license: string, files: Readonly<Record<string, string>>): string {
    const directory = mkdtempSync(join(place, 'package-'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    const path = basename(directory);
    return thirdPartyLicenses(place, [
      { name: 'left-pad', version: '1.0.0', license, integrity: 'sha512-', path, parts: ['server'] },
    ]);
  }
  const author = JSON.stringify({ author: { name: 'Ada' } });

  test('are the texts of the package, a section of its README, or the text that is the same for all authors', () => {
    const heading = `${'='.repeat(80)}\nleft-pad 1.0.0: `;
    const files = { 'LICENSE.md': 'The text.\n', NOTICE: 'The notice.' };
    assert.equal(licensesOf('ISC', files), `${heading}ISC\n\nThe text.\n\nThe notice.\n`);
    const section = '## License\n\nPermission is hereby granted…';
    const readme = `# left-pad\n\nPads.\n\n${section}\n\n## Thanks\n`;
    assert.equal(licensesOf('MIT', { 'readme.md': readme }), `${heading}MIT\n\n${section}\n`);
    assert.match(
      licensesOf('MIT', { 'package.json': author }),
      /MIT License\n\nCopyright \(c\) Ada\n\nPermission is/,
    );
    assert.match(
      licensesOf('Apache-2.0', { 'package.json': author }),
      /\n\nCopyright Ada\n\nApache License\n/,
    );
    assert.match(licensesOf('(GPL-2.0 OR MIT)', files), /The text\./);
  });

  test('must be allowed and have a text', () => {
    const files = { LICENSE: 'The text.' };
    for (const license of ['GPL-3.0-only', 'MIT AND GPL-2.0', 'UNLICENSED'])
      assert.throws(() => licensesOf(license, files), /left-pad has the license .* which .* does not allow/);
    assert.throws(
      () => licensesOf('ISC', { 'package.json': author }),
      /left-pad has no text of its license ISC/,
    );
  });
});

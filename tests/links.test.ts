import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });

/** Returns the text of a page without blocks of code. */
const textOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '');

/** Returns the fragments of the headings of a page, as GitHub forms them. */
const fragmentsOf = (page: string): string[] =>
  Array.from(textOf(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Returns the links of a page that lead to a file or heading that doesn't exist. */
function findDeadLinks(page: string): string[] {
  const links = Array.from(textOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return fragment !== undefined && !fragmentsOf(target).includes(fragment);
  });
}

test('every link in the documentation leads to a file and a heading that exist', () => {
  assert.ok(pages.length > 40);
  const dead = pages.flatMap((page) => findDeadLinks(page).map((link) => `${page}: ${link}`));
  assert.deepEqual(dead, []);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onePixel, pngOf } from '../../../tests/support/image-files.ts';
import { imageOfValue } from './image-value.ts';

const base64 = onePixel.toString('base64');
const id = '0123456789abcdef'.repeat(4);

describe('the image of a value', () => {
  const cases: readonly (readonly [what: string, value: string, shown: object | undefined])[] = [
    ['an ID', ` ${id} `, { id }],
    ['a file in Base64', base64, { dataUrl: `data:image/png;base64,${base64}` }],
    [
      'a data URL, by its content',
      `data:text/html;base64,${base64}`,
      { dataUrl: `data:image/png;base64,${base64}` },
    ],
    ['an ID in capitals', id.toUpperCase(), undefined],
    ['an address', 'https://example.com/logo.png', undefined],
    ['a path', '/api/session', undefined],
    ['SVG', `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`, undefined],
    ['SVG that is not in Base64', 'data:image/svg+xml,<svg/>', undefined],
    ['HTML', `data:image/png;base64,${btoa('<script>alert(1)</script>'.repeat(4))}`, undefined],
    ['a picture that would fill the memory', pngOf(30_000, 30_000).toString('base64'), undefined],
    ['a word', 'Oslo', undefined],
    ['nothing', '', undefined],
    ['a text that is too long', base64.repeat(40_000), undefined],
  ];
  for (const [what, value, shown] of cases)
    test(`${what} is ${shown === undefined ? 'none' : 'shown'}`, () => {
      assert.deepEqual(imageOfValue(value), shown);
    });

  test('has no character that could end the attribute of a page', () => {
    const value = `${base64}"onload="alert(1)`;
    assert.equal(imageOfValue(value), undefined);
  });
});

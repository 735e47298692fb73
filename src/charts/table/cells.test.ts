import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RuleCondition } from '#shared/visualizations/rules.ts';
import { contrastOf } from '#shared/branding/contrast.ts';
import { darkTheme, lightTheme, textColorOn } from '../drawing/palette.ts';
import { cellBars, listedNumbers } from './bars.ts';
import { cellColors } from './cell-colors.ts';
import { cellLink } from './links.ts';

const column = { name: 'n', type: 'decimal', sourceType: '', index: 0 } as const;
const rowsOf = (values: readonly unknown[]) => values.map((value) => [value]);

describe('the colors of cells', () => {
  const cases: readonly (readonly [
    RuleCondition,
    string | undefined,
    readonly unknown[],
    readonly unknown[],
  ])[] = [
    ['above', '10', [10.5, '11', '1e30'], [10, null, 'x', '']],
    ['atLeast', '10', [10, '10.0'], [9.99]],
    ['below', '0', [-1, '-0.5'], [0, null]],
    ['atMost', '0', [0, -1], [1]],
    ['above', 'no number', [], [1, 'no number']],
    ['equals', '10', [10, '10.0'], [11, null]],
    ['equals', 'Open', ['open', 'OPEN'], ['opened', null]],
    ['differs', 'open', ['closed', null], ['Open']],
    ['contains', 'err', ['an ERROR', 'err'], ['fine', null, 1]],
    ['contains', '', [], ['fine']],
    ['isEmpty', undefined, [null, ''], [0, 'x', false]],
    ['isNotEmpty', undefined, [0, 'x', false], [null, '']],
  ];
  for (const [when, value, matching, others] of cases) {
    test(`apply if a value ${when} ${value ?? ''}`, () => {
      const rule = { when, color: '3', ...(value !== undefined && { value }) };
      const colorsOf = cellColors({ rules: [rule] }, column, []);
      assert.deepEqual(
        [...matching, ...others].filter((cell) => colorsOf?.(cell, lightTheme) !== undefined),
        matching,
      );
    });
  }

  test('are those of the first rule that applies, and else of the scale', () => {
    const rules = [
      { when: 'above', value: '5', color: '#000000' },
      { when: 'above', value: '3', color: '#ff0000' },
    ] as const;
    const colorsOf = cellColors(
      { rules: [...rules], colorScale: { high: '#0000ff' } },
      column,
      rowsOf([0, 4, 9]),
    );
    const backgrounds = [9, 4, 0, null].map((value) => colorsOf?.(value, lightTheme)?.background);
    assert.deepEqual(backgrounds, ['#b3b3b3', '#ffb3b3', '#ebebff', undefined]);
  });

  test('go from the smallest value to the largest, or between the given ones', () => {
    const scale = { low: '#ff0000', middle: '#ffffff', high: '#00ff00' };
    const colorsAt = (colorScale: object, values: readonly unknown[]) => {
      const colorsOf = cellColors({ colorScale: { ...scale, ...colorScale } }, column, rowsOf(values));
      return values.map((value) => colorsOf?.(value, lightTheme)?.background);
    };
    assert.deepEqual(colorsAt({}, [-10, 0, 10, null]), ['#ff0000', '#ffffff', '#00ff00', undefined]);
    assert.deepEqual(colorsAt({ min: 0, max: 4 }, [-10, 2, 10]), ['#ff0000', '#ffffff', '#00ff00']);
    assert.deepEqual(colorsAt({}, [7, 7]), ['#00ff00', '#00ff00']);
    assert.deepEqual(colorsAt({}, [-1.7e308, 0, 1.7e308]), ['#ff0000', '#ffffff', '#00ff00']);
  });

  test('leave the text readable on every background, in both themes', () => {
    for (const theme of [lightTheme, darkTheme]) {
      for (let gray = 0; gray < 256; gray += 1) {
        const background = `#${gray.toString(16).padStart(2, '0').repeat(3)}`;
        assert.ok(contrastOf(textColorOn(background, theme), background) >= 4.5, background);
      }
      for (const color of ['1', '2', '3', '4', '8', '#ff00ff', '#00ffff', '#808080']) {
        const colorsOf = cellColors({ colorScale: { high: color } }, column, rowsOf([0, 100]));
        for (let value = 0; value <= 100; value += 1) {
          const { background = '', text = '' } = colorsOf?.(value, theme) ?? {};
          assert.ok(contrastOf(text, background) >= 4.5, `${color} at ${value}: ${text} on ${background}`);
        }
      }
    }
  });
});

test('the bar of a cell starts at zero', () => {
  const barOf = cellBars(column, rowsOf([-10, 30, null]));
  assert.deepEqual([-10, 0, 30, null].map(barOf), [
    { start: 0, width: 0.25 },
    { start: 0.25, width: 0 },
    { start: 0.25, width: 0.75 },
    undefined,
  ]);
  assert.deepEqual(cellBars(column, rowsOf([0]))(0), undefined);
  assert.deepEqual(cellBars(column, rowsOf([-1.7e308, 1.7e308]))(1.7e308), { start: 0.5, width: 0.5 });
});

test('a list of numbers can be text, and its other items are missing', () => {
  assert.deepEqual(listedNumbers([1, '2.5', null, 'x']), [1, 2.5, undefined, undefined]);
  assert.deepEqual(listedNumbers('[3, 4]'), [3, 4]);
  for (const value of ['[3,', 'x', null, 5, {}]) assert.equal(listedNumbers(value), undefined);
});

describe('a cell links', () => {
  const allowed: readonly (readonly [string, string, boolean])[] = [
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d', true],
    ['HTTP://example.com', 'http://example.com/', true],
    [' mailto:ada@example.com ', 'mailto:ada@example.com', false],
    ['/dashboards/1?day=2026-01-01', '/dashboards/1?day=2026-01-01', false],
    ['/a/../b', '/b', false],
  ];
  for (const [text, href, isExternal] of allowed) {
    test(`to ${text}`, () => assert.deepEqual(cellLink(text), { href, isExternal }));
  }
  const refused: readonly unknown[] = [
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    '//example.com',
    '/\\example.com',
    '\\\\example.com',
    '/..//example.com',
    'https:example.com',
    'https://user:secret@example.com',
    'https://',
    'mailto:',
    'example.com',
    '',
    `https://example.com/${'a'.repeat(3_000)}`,
    null,
    7,
    { href: 'https://example.com' },
  ];
  for (const text of refused) {
    test(`never to ${JSON.stringify(text)?.slice(0, 50)}`, () => assert.equal(cellLink(text), undefined));
  }
});

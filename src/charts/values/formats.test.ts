import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { ColumnType } from '#shared/columns.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { defaultRegion, setRegion } from '#shared/region/region.ts';
import { createFormatter, currentFormatter } from './formats.ts';

const cases: [ColumnType, ValueFormat | undefined, unknown, string][] = [
  ['integer', undefined, null, '–'],
  ['integer', undefined, 2005, '2005'],
  ['integer', undefined, 1234567, '1,234,567'],
  ['integer', { kind: 'number' }, 2005, '2,005'],
  ['integer', undefined, '123456789012345678901234567890', '123,456,789,012,345,678,901,234,567,890'],
  ['integer', { kind: 'number', isCompact: true }, 1_234_567, '1.2M'],
  ['decimal', undefined, '0.12345678901234567890', '0.1234567890123456789'],
  ['decimal', { kind: 'currency', currency: 'USD' }, '1234567890123456.789', '$1,234,567,890,123,456.79'],
  ['decimal', { kind: 'currency', currency: 'JPY' }, 1200, '¥1,200'],
  ['decimal', { kind: 'currency' }, 1.5, '1.50'],
  ['decimal', { kind: 'currency', currency: 'USD', isCompact: true }, 1_250_000, '$1.3M'],
  ['double', { kind: 'number', isCompact: true }, 6e24, '6E24'],
  ['decimal', { kind: 'currency', currency: 'USD', isCompact: true }, '2500000000000000', '$2.5E15'],
  ['double', undefined, 1234.5678, '1,234.57'],
  ['double', undefined, 0.000123456, '0.0001235'],
  ['double', undefined, 'NaN', 'NaN'],
  ['double', { kind: 'percent' }, 0.2156, '21.6%'],
  ['double', { kind: 'percent', decimals: 0 }, 0.2156, '22%'],
  ['double', { kind: 'number', decimals: 2, prefix: '~', suffix: ' °C' }, 3, '~3.00 °C'],
  ['text', { kind: 'number' }, 'many', 'many'],
  ['text', undefined, '<b>{{x}}</b>', '<b>{{x}}</b>'],
  ['boolean', undefined, false, 'No'],
  ['date', undefined, '2001-03-09', 'Mar 9, 2001'],
  ['date', undefined, 'infinity', 'infinity'],
  ['datetime', undefined, '2001-03-09T17:05:00', 'Mar 9, 2001, 5:05 PM'],
  ['datetime', { kind: 'date' }, '2001-03-09T23:59:59.999999', 'Mar 9, 2001'],
  ['time', undefined, '17:05:00', '17:05:00'],
  ['json', undefined, { a: [1, null] }, '{"a":[1,null]}'],
  ['integer', { kind: 'text' }, 2005, '2005'],
];

for (const [type, format, value, text] of cases) {
  test(`${JSON.stringify(value)} of type ${type} as ${JSON.stringify(format)} is ${text}`, () => {
    // ICU separates the time with a narrow no-break space.
    const written = createFormatter({ type }, format, 'en-US')(value).replaceAll('\u202f', ' ');
    assert.equal(written, text);
  });
}

test('an instant is shown in the zone of the reader', () => {
  const at = '2001-03-09T17:05:00.000Z';
  const here = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  assert.equal(createFormatter({ type: 'instant' }, undefined, 'en-US')(at), here.format(Date.parse(at)));
});

afterEach(() => setRegion(defaultRegion));

test('a constant of a module follows the region of the page', () => {
  const percent = currentFormatter({ type: 'double' }, { kind: 'percent', decimals: 1 });
  setRegion({ locale: 'en-US', currency: 'USD' });
  assert.equal(percent(0.125), '12.5%');
  setRegion({ locale: 'de-DE', currency: 'EUR' });
  assert.equal(percent(0.125), '12,5\u00a0%');
});

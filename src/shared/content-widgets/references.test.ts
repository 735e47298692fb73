import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asWritten, maskReferences, parseReference, partsOf, referenceTo, unmask } from './references.ts';

test('a reference names a filter, or a widget and its column', () => {
  assert.deepEqual(parseReference(' country '), { source: 'country', filter: 'country', columns: [] });
  assert.deepEqual(parseReference('Revenue > total'), {
    source: 'Revenue > total',
    columns: [{ title: 'Revenue', column: 'total' }],
  });
  assert.deepEqual(parseReference('Revenue › total').columns, [{ title: 'Revenue', column: 'total' }]);
  assert.deepEqual(parseReference('Amount > 5 > n').columns, [
    { title: 'Amount > 5', column: 'n' },
    { title: 'Amount', column: '5 > n' },
  ]);
  assert.deepEqual(parseReference('> total').columns, []);
  assert.deepEqual(parseReference('two words'), { source: 'two words', columns: [] });
});

test('the parts of a text are its words and its references', () => {
  const country = parseReference('country');
  assert.deepEqual(partsOf('In {{country}}: {{ country }}!'), ['In ', country, ': ', country, '!']);
  assert.deepEqual(partsOf('{{}} {{ }} {{a\nb}} {country} {{{country}}}'), [
    '{{}} {{ }} {{a\nb}} {country} {',
    country,
    '}',
  ]);
  assert.deepEqual(partsOf(''), []);
});

test('characters that stand for references are replaced if a text has them itself', () => {
  assert.deepEqual(partsOf('\uE000 {{country}}'), ['\uFFFD ', parseReference('country')]);
});

test('a masked text has one character for each reference, and can be written again', () => {
  const { masked, references } = maskReferences('**{{Revenue *net* > total}}** of {{country}}');
  assert.equal(masked, '**\uE000** of \uE001');
  assert.equal(asWritten(masked, references), '**{{Revenue *net* > total}}** of {{country}}');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '{{', '}}', 'a', '>', ' ', '\n') }), (text) => {
      const parts = maskReferences(text);
      const trimmed = (each: string) => each.replaceAll(' ', '');
      assert.equal(trimmed(asWritten(parts.masked, parts.references)), trimmed(text));
      assert.equal(unmask(parts.masked, parts.references).filter((part) => part === '').length, 0);
    }),
  );
});

test('a reference is written for every title and column that can be', () => {
  assert.equal(referenceTo(' Revenue ', 'total'), '{{Revenue > total}}');
  assert.equal(referenceTo('Amount > 5', 'n'), '{{Amount > 5 > n}}');
  assert.equal(referenceTo('Braces {}', 'n'), undefined);
  assert.equal(referenceTo('Two\nlines', 'n'), undefined);
  assert.equal(referenceTo('', 'n'), undefined);
  assert.equal(referenceTo('x'.repeat(500), 'n'), undefined);
});

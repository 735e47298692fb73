import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { defaultRegion, setRegion } from '../region/region.ts';
import { currentLanguage } from './current.ts';
import { partsOf, setLanguage, t, translationOf } from './messages.ts';

afterEach(() => {
  setLanguage('en', {});
  setRegion(defaultRegion);
});

const rows = '{count, plural, =0 {No rows} one {# row of {table}} other {# rows of {table}}}';

test('messages are English unless a language is set', () => {
  assert.equal(currentLanguage(), 'en');
  assert.equal(t('Save'), 'Save');
  assert.equal(t('It’s {name}’s', { name: 'Ada {x} <b>' }), 'It’s Ada {x} <b>’s');
  assert.deepEqual(
    [0, 1, 1200].map((count) => t(rows, { count, table: 'trips' })),
    ['No rows', '1 row of trips', '1,200 rows of trips'],
  );
});

test('a catalog translates messages, with the plurals of its language', () => {
  setLanguage('pl', {
    Save: 'Zapisz',
    [rows]: '{count, plural, one {# wiersz} few {# wiersze} other {# wierszy}}',
  });
  assert.equal(t('Save'), 'Zapisz');
  assert.equal(t('Cancel'), 'Cancel');
  assert.equal(translationOf('toString'), 'toString');
  assert.deepEqual(
    [1, 3, 7].map((count) => t(rows, { count, table: 'trips' })),
    ['1 wiersz', '3 wiersze', '7 wierszy'],
  );
});

test('numbers are written as the organization does, in any language', () => {
  setRegion({ locale: 'de-DE', currency: 'EUR' });
  assert.equal(
    t('{count} of {total, plural, one {#} other {#}}', { count: 1234.5, total: 9876 }),
    '1.234,5 of 9.876',
  );
});

test('a choice has a variant for all other values', () => {
  const message = '{role, select, owner {an owner} other {a member}}';
  assert.deepEqual(
    ['owner', 'editor', 'toString'].map((role) => t(message, { role })),
    ['an owner', 'a member', 'a member'],
  );
});

test('a message with elements returns its parts, and text in values never becomes an element', () => {
  setLanguage('de', { 'Delete <b>{name}</b>?': '<b>{name}</b> löschen?' });
  const parts = partsOf<object>('Delete <b>{name}</b>?', { name: '<b>' }, (tag, content) => ({
    tag,
    content,
  }));
  assert.deepEqual(parts, [{ tag: 'b', content: ['<b>'] }, ' löschen?']);
});

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { currencies, isCurrency } from './currencies.ts';
import { collator, dateFormat, numberFormat, relativeTimeFormat } from './intl.ts';
import { isLocale, locales } from './locales.ts';
import { currentCurrency, currentLocale, defaultRegion, setRegion } from './region.ts';

afterEach(() => setRegion(defaultRegion));

test('numbers, dates and texts follow the region that is set, and formats created before it do not', () => {
  const before = numberFormat();
  setRegion({ locale: 'de-DE', currency: 'EUR' });
  assert.equal(numberFormat().format(1234.5), '1.234,5');
  assert.equal(dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(0), '01.01.1970');
  assert.equal(
    relativeTimeFormat({ numeric: 'auto' }).format(-1, 'day'),
    'yesterday',
    'words are in the language of messages',
  );
  assert.equal(currentCurrency(), 'EUR');
  setRegion({ locale: 'sv-SE', currency: 'XXX' });
  assert.deepEqual(['ö', 'z', 'a'].toSorted(collator().compare), ['a', 'z', 'ö']);
  assert.equal(currentCurrency(), undefined);
  setRegion(defaultRegion);
  assert.equal(currentLocale(), undefined);
  assert.equal(numberFormat(), before);
});

test('every locale that can be chosen is known to the runtime, and each region of a language once', () => {
  assert.deepEqual(Intl.NumberFormat.supportedLocalesOf(locales), [...locales]);
  assert.deepEqual(Intl.getCanonicalLocales(locales), [...locales]);
  assert.ok(isLocale('de-AT') && isLocale('auto'));
  assert.ok(!isLocale('de') && !isLocale('toString'));
});

test('currencies are codes of ISO 4217', () => {
  assert.ok(['EUR', 'JPY', 'XXX'].every(isCurrency));
  assert.ok(!['', 'eur', 'QQQ', '€'].some(isCurrency));
  assert.ok(currencies().length > 100 && !currencies().includes('XXX'));
});

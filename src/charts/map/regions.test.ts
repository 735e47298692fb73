import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { defaultRegion, setRegion } from '#shared/region/region.ts';
import { geometryOfMap } from './geometry.ts';
import { regionsOf } from './regions.ts';

afterEach(() => setRegion(defaultRegion));

test('countries are found by their codes, and by names in several languages, however they are written', () => {
  const { find } = regionsOf('world');
  const same: readonly (readonly unknown[])[] = [
    ['Germany', 'germany ', 'DE', 'de', 'DEU', '276', 276, 'Deutschland', 'Allemagne', 'DEUTSCHLAND'],
    ['Afghanistan', 4, '4', '004', 'AF'],
    ['Côte d’Ivoire', "Cote d'Ivoire", 'Ivory Coast', 'Elfenbeinküste'],
    ['USA', 'U.S.A.', 'United States', 'the United States of America', 'Vereinigte Staaten'],
    ['Great Britain', 'UK', 'Vereinigtes Königreich', 'GB'],
    ['St. Lucia', 'Saint Lucia'],
    ['Bosnia & Herzegovina', 'Bosnia and Herzegovina', 'Bosnien und Herzegowina'],
    ['South Korea', 'Korea, Rep.', 'Südkorea'],
    ['DR Congo', 'COD'],
    ['Türkiye', 'Turkey', 'Türkei'],
    ['Kosovo', 'XK'],
  ];
  for (const names of same) {
    const codes = new Set(names.map(find));
    assert.equal(codes.size, 1, names.join());
    assert.notEqual([...codes][0], undefined, names.join());
  }
  for (const other of ['Atlantis', '', null, {}, '999', 'x'.repeat(10_000), 'toString', '__proto__'])
    assert.equal(find(other), undefined);
  assert.notEqual(find('Congo'), find('DR Congo'));
  assert.notEqual(find('Niger'), find('Nigeria'));
});

test('states are found by name, postal code and FIPS code', () => {
  const { find, nameOf } = regionsOf('usStates');
  assert.deepEqual(['California', 'ca', 'US-CA', 6, '06'].map(find), ['06', '06', '06', '06', '06']);
  assert.equal(find('Washington DC'), find('District of Columbia'));
  assert.equal(find('Puerto Rico'), undefined);
  assert.equal(nameOf('53'), 'Washington');
});

test('countries have their names in the language of the organization', () => {
  setRegion({ locale: 'de-DE', currency: 'XXX' });
  assert.equal(regionsOf('world').nameOf('276'), 'Deutschland');
  assert.equal(regionsOf('world').nameOf('470'), 'Malta');
});

test('every country is an area or a dot', () => {
  const { names, dots, bounds, whole } = geometryOfMap('world');
  assert.equal(names.size, 176);
  assert.ok([...dots.keys()].every((code) => !names.has(code)));
  assert.equal(names.size + dots.size, 247);
  // Russia, which is on both sides of the antimeridian, doesn't span the map.
  const russia = bounds.get('643');
  assert.ok(russia && russia.to[0] - russia.from[0] < (whole.to[0] - whole.from[0]) * 0.6);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfDay, filtersText, linkAddress } from './link-address.ts';

const origin = 'https://atrium.example';

test('the address of a display has its token in the fragment only', () => {
  assert.equal(linkAddress({ origin, token: 'a_b', seconds: 30 }), `${origin}/display#a_b`);
  assert.equal(linkAddress({ origin, token: 'a_b', seconds: 5 }), `${origin}/display?present-every=5#a_b`);
});

test('a link works until the end of its last day in the time zone of the organization', () => {
  assert.equal(endOfDay('2026-12-31', 'UTC'), '2027-01-01T00:00:00.000Z');
  assert.equal(endOfDay('2026-12-31', 'America/New_York'), '2027-01-01T05:00:00.000Z');
});

test('the filters of a link are listed with all their values', () => {
  assert.equal(
    filtersText('region=north&region=south&day=last-30-days'),
    'region: north, south · day: last-30-days',
  );
  assert.equal(filtersText(''), '');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, timeZones } from './time-zones.ts';

test('names of the IANA database and their aliases are time zones', () => {
  for (const name of [
    'UTC',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/Indiana/Knox',
    'Etc/GMT+5',
  ])
    assert.ok(isTimeZone(name), name);
  assert.ok(timeZones().every(isTimeZone));
  assert.equal(timeZones()[0], 'UTC');
});

test('offsets, unknown names and other texts are not', () => {
  for (const text of ['', '+02:00', '-05', 'Mars/Olympus', 'Europe/Berlin ', "UTC'; drop", 'Europe//Berlin'])
    assert.ok(!isTimeZone(text), text);
});

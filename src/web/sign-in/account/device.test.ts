import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceName } from './device.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('a device is named by its browser and its system', () => {
  const words = {
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`]:
      'Edge on Windows',
    [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/140.0.0.0 Safari/537.36`]: 'Chrome on Linux',
    [`Mozilla/5.0 (Linux; Android 16) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`]: 'Chrome on Android',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:142.0) Gecko/20100101 Firefox/142.0': 'Firefox on macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1':
      'Safari on iPhone',
    'curl/8.5.0': 'curl',
    lightMyRequest: 'lightMyRequest',
  };
  assert.deepEqual(
    Object.keys(words).map((userAgent) => deviceName(userAgent)),
    Object.values(words),
  );
  assert.equal(deviceName(undefined), 'Unknown device');
});

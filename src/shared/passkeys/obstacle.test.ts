import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passkeyObstacle } from './obstacle.ts';

test('passkeys need https or this computer, and the name of a host', () => {
  const urls = [
    ['https://atrium.example.com', undefined],
    ['https://atrium.example.com:8443/sub', undefined],
    ['http://localhost:3000', undefined],
    ['http://atrium.localhost', undefined],
    ['http://atrium.example.com', 'insecure'],
    ['http://notlocalhost', 'insecure'],
    ['https://192.0.2.7', 'address'],
    ['https://3221225991', 'address'],
    ['http://127.0.0.1:3000', 'address'],
    ['https://[2001:db8::7]', 'address'],
  ] as const;
  for (const [url, obstacle] of urls) assert.equal(passkeyObstacle(url), obstacle, url);
});

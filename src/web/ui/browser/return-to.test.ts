import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownPath } from './return-to.ts';

const origin = 'https://atrium.example';
const ownOf = (returnTo: string | undefined): string => ownPath(returnTo, origin);

test('a URL of another host is replaced by the home page, even if dot segments hide it', () => {
  for (const returnTo of [
    undefined,
    '',
    'x',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/.\\/evil.example',
    '/x/..//evil.example',
    '/x/..\\\\evil.example',
    '/%2e//evil.example',
    '/%2E%2E//evil.example',
    '/./\n/evil.example',
    '//[',
  ])
    assert.equal(ownOf(returnTo), '/', JSON.stringify(returnTo));
});

test('a path of this server is unchanged', () => {
  for (const path of ['/', '/account?from=a+link#here', '/x?next=https://evil.example//x', '/x//y', '/%2fx'])
    assert.equal(ownOf(path), path);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExternal, safeHref } from './links.ts';

test('links lead to web pages, mail addresses and paths of this server', () => {
  const allowed: readonly (readonly [url: string, href: string])[] = [
    ['https://example.com', 'https://example.com/'],
    ['  HTTP://Example.com/a?b=c#d  ', 'http://example.com/a?b=c#d'],
    ['mailto:ada@example.com?subject=Hi', 'mailto:ada@example.com?subject=Hi'],
    ['/dashboards/7?country=NO#month', '/dashboards/7?country=NO#month'],
    ['/', '/'],
    ['/a/../b', '/b'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['/a"><script>', '/a%22%3E%3Cscript%3E'],
  ];
  for (const [url, href] of allowed) assert.equal(safeHref(url), href, url);
  assert.deepEqual(['/a', 'https://example.com/', 'mailto:ada@example.com'].map(isExternal), [
    false,
    true,
    true,
  ]);
});

test('no other address is a link', () => {
  const refused = [
    '',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
    'blob:https://example.com/1',
    'view-source:https://example.com',
    '//example.com',
    '///example.com',
    '/\\example.com',
    '/\t/example.com',
    '/.//example.com',
    '/a/..//example.com',
    '\\\\example.com',
    'https:example.com',
    'https:///',
    'https://',
    'https://ada:secret@example.com',
    'https://example.com@evil.example',
    'mailto:',
    'mailto:?bcc=x@example.com',
    'example.com',
    'dashboards/7',
    '#section',
    '?country=NO',
    `https://example.com/${'a'.repeat(2_000)}`,
  ];
  for (const url of refused) assert.equal(safeHref(url), undefined, url);
});

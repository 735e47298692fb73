import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fastCheck from 'fast-check';
import { returnPath } from './return-path.ts';

const elsewhere: Record<string, readonly (string | undefined)[]> = {
  nothing: [undefined, ''],
  'no path': ['dashboards', './x', '../x', '?x', '#x', ' /x', '%2Fx', '*', '.', '@evil.example', ':80'],
  'a scheme': [
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'HTTPS:x',
    'http://localhost:3000/x',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:eve@evil.example',
    ' https://evil.example',
  ],
  'a host': [
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '//evil.example/%2e%2e',
    '//@evil.example',
    '//evil%2eexample',
    '//[::1]/',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\\/evil.example',
    '//\\evil.example',
  ],
  'a host behind what browsers drop': [
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '\t//evil.example',
    '/\u0000/evil.example',
    '/\u200b/evil.example',
    '/\ufeff/evil.example',
    '/\u00ad/evil.example',
    '/\u202e/evil.example',
  ],
  'an encoded host': [
    '/%2fevil.example',
    '/%2Fevil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
    '%2f%2fevil.example',
    '/%09/evil.example',
    '/%0a/evil.example',
    '/%0d%0a/evil.example',
    '/%00/evil.example',
    '/x%5c..%5c..%5cevil.example',
  ],
  'a host that dots uncover': [
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
    '/x/%2E%2E//evil.example',
    '/./%2fevil.example',
    '/x/../%5cevil.example',
    '/.\\/evil.example',
  ],
  'what breaks a header': [
    '/x\r\nSet-Cookie: a=b',
    '/x\nLocation: https://evil.example',
    '/x%0d%0aSet-Cookie:%20a=b',
    '/x?y=%0a',
    '/x#\u0000',
    '/x\u0085y',
    '/x\u2028\r\n',
    '/x\u007f',
  ],
  'no text that can be read': ['/%', '/%zz', '/%c3%28', '/x?y=50%', '/\ud800', '/x?\udfff'],
  'no length that a header takes': [`/${'x'.repeat(2_000)}`, `/?${'é'.repeat(1_000)}`, `/${'x'.repeat(1e6)}`],
};

describe('the path to return to', () => {
  for (const [kind, texts] of Object.entries(elsewhere)) {
    test(`is / for ${kind}`, () => {
      assert.deepEqual(
        texts.map((text) => [text, returnPath(text)]),
        texts.map((text) => [text, '/']),
      );
    });
  }

  test('keeps its query and its fragment', () => {
    const own = [
      '/',
      '/dashboards',
      '/dashboards/019a?from=2026-01-01&to=2026-02-01#widget-3',
      '/?a=b',
      '/#a',
      '/x//y',
      '/x?next=https://evil.example//x',
      '/x?path=C%3A%5Ctemp',
      '/x?q=two%20words+three&r=100%25',
      '/x?q=a%2Fb#%2F',
      '/x:y@z',
      '/~ada/.well-known',
      `/${'x'.repeat(1_999)}`,
    ];
    assert.deepEqual(own.map(returnPath), own);
  });

  test('is resolved and in ASCII, as a header must be', () => {
    assert.equal(
      returnPath('/Übersicht?q=größe#日本'),
      '/%C3%9Cbersicht?q=gr%C3%B6%C3%9Fe#%E6%97%A5%E6%9C%AC',
    );
    assert.equal(returnPath('/😀'), '/%F0%9F%98%80');
    assert.equal(returnPath('/a b?c d'), '/a%20b?c%20d');
    assert.equal(returnPath('/x/../dashboards/./y'), '/dashboards/y');
    assert.equal(returnPath('/../../x'), '/x');
  });

  test('never leads to another origin, and parsing it again returns the same path', () => {
    const pieces =
      '/|\\|.|..|%2f|%5C|%2e|%09|\t|\r\n|:|@|?|#|x| |é|%25|evil.example|https:|\u0000|％|／|＼|\u2044'.split(
        '|',
      );
    const piece = fastCheck.constantFrom(...pieces);
    const text = fastCheck.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fastCheck.assert(
      fastCheck.property(fastCheck.oneof(text, fastCheck.string({ unit: 'binary' })), (asked) => {
        const path = returnPath(asked);
        assert.match(path, /^\/(?![/\\])[\x21-\x7e]*$/);
        const callback = 'http://localhost:3000/api/sso/callback/1?code=2';
        for (const form of [path, decodeURIComponent(path.replace(/[?#].*/, ''))]) {
          assert.equal(new URL(form, callback).origin, 'http://localhost:3000');
        }
        assert.equal(returnPath(path), path);
      }),
      { numRuns: 20_000 },
    );
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameInMail, quotedInMail } from './texts.ts';

test('a name in an email is short, on one line, and contains no link', () => {
  const cases: readonly (readonly [name: string, shown: string])[] = [
    ['Acme Inc.', 'Acme Inc.'],
    ['Müller & Söhne (Köln), Abt. 4', 'Müller & Söhne (Köln), Abt. 4'],
    ['日本 שלום 👍', '日本 שלום 👍'],
    ['Q3: 12.5% by 10:30', 'Q3: 12.5% by 10:30'],
    ['Pay at https://evil.example/a?b=c', 'Pay at https evil example a?b=c'],
    ['www.evil.example', 'www evil example'],
    ['evil。example evil．example evil｡example', 'evil example evil example evil example'],
    ['mailto:eve@evil.example', 'mailto eve evil example'],
    ['javascript:alert(1)', 'javascript alert(1)'],
    ['Acme\r\nBcc: eve@example.com', 'Acme Bcc: eve example com'],
    ['a\u202eb\u2066c\u200bd\u2028e\u0000f', 'a b c d e f'],
    ['[Sign in](https://evil.example)', 'Sign in (https evil example)'],
    ['//evil', 'evil'],
    ['x'.repeat(200), `${'x'.repeat(64)}…`],
    ['@', 'without a name'],
  ];
  assert.deepEqual(
    cases.map(([name]) => nameInMail(name)),
    cases.map(([, shown]) => shown),
  );
});

test('a quoted text keeps its lines, each marked, and contains no link', () => {
  assert.equal(
    quotedInMail('Look:\r\n\nIt is at https://evil.example. Now.\u2028x', 500),
    '> Look:\n> \n> It is at https   evil example. Now. x',
  );
  assert.equal(quotedInMail('x'.repeat(600), 500), `> ${'x'.repeat(500)}…`);
});

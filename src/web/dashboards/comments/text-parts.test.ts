import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textParts, typedMention } from './text-parts.ts';

/** Returns the parts in short: links as `<address>`, mentions as `[name]`. */
const shortened = (text: string, names: string[] = []): string =>
  textParts(text, names)
    .map((part) =>
      part.kind === 'text' ? part.text : part.kind === 'link' ? `<${part.href}>` : `[${part.text}]`,
    )
    .join('');

test('addresses in a comment become links only if they are safe', () => {
  const cases: Record<string, string> = {
    'See https://example.org/a?b=1, please.': 'See <https://example.org/a?b=1>, please.',
    '(http://example.org)': '(<http://example.org/>)',
    'two\nhttps://a.example\nhttps://b.example': 'two\n<https://a.example/>\n<https://b.example/>',
    'javascript:alert(1)': 'javascript:alert(1)',
    'https://user:secret@example.org': 'https://user:secret@example.org',
    'data:text/html,<b>': 'data:text/html,<b>',
    'https://': 'https://',
    '//example.org': '//example.org',
    '<img src=x onerror=alert(1)>': '<img src=x onerror=alert(1)>',
  };
  for (const [text, parts] of Object.entries(cases)) assert.equal(shortened(text), parts);
});

test('only people in the list of mentions are shown as mentioned', () => {
  assert.equal(
    shortened('@Ann Lee and @Ann, not @Bob', ['Ann', 'Ann Lee']),
    '[@Ann Lee] and [@Ann], not @Bob',
  );
  assert.equal(shortened('mail a@b.example @', ['Ann']), 'mail a@b.example @');
  const many = '@'.repeat(4_000);
  assert.equal(shortened(many, ['Ann']), many);
});

test('a name is typed after an @ at the start of a word', () => {
  const cases: [string, string | undefined][] = [
    ['@', ''],
    ['Hello @an', 'an'],
    ['Hello @Ann Le', 'Ann Le'],
    ['a@b', undefined],
    ['Hello', undefined],
    ['@Ann and then much more', undefined],
    ['@\nx', undefined],
  ];
  for (const [text, typed] of cases) assert.equal(typedMention(text, text.length), typed, text);
});

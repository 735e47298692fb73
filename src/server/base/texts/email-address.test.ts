import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { domainName, normalizeEmail } from './email-address.ts';

describe('an email address', () => {
  const normalized: [string, string | undefined][] = [
    [' Ada@Example.COM ', 'ada@example.com'],
    ['ada+tag@bücher.example', 'ada+tag@xn--bcher-kva.example'],
    ["o'brien@sub.example.co.uk", "o'brien@sub.example.co.uk"],
    ['ada@localhost', 'ada@localhost'],
    ['ada', undefined],
    ['@example.com', undefined],
    ['ada@', undefined],
    ['ada@evil.example@example.com', undefined],
    ['ada＠example.com', undefined],
    ['ａda@example.com', undefined],
    ['ada@ｅxample.com', undefined],
    ['ada@example。com', 'ada@example.com'],
    ['a da@example.com', undefined],
    ['ada@exam\u200bple.com', undefined],
    ['ada\n@example.com', undefined],
    ['ada@-example.com', undefined],
    ['ada<eve@evil.example', undefined],
    ['ada,eve@example.com', undefined],
    ['"ada"@example.com', undefined],
    ['ada@127.0.0.1', undefined],
    [`${'a'.repeat(250)}@example.com`, undefined],
  ];
  for (const [text, expected] of normalized) {
    test(`${JSON.stringify(text.slice(0, 40))} is ${expected ?? 'not valid'}`, () =>
      assert.equal(normalizeEmail(text), expected));
  }
});

describe('a domain name', () => {
  const names: [string, string | undefined][] = [
    ['Example.COM', 'example.com'],
    [' bücher.example ', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a.b-c.d', 'a.b-c.d'],
    ['', undefined],
    ['*.example.com', undefined],
    ['example..com', undefined],
    ['.example.com', undefined],
    ['example.com.', undefined],
    ['exa mple.com', undefined],
    ['example.com/path', undefined],
    ['é%2eb.example', undefined],
    ['user@example.com', undefined],
    ['127.0.0.1', undefined],
    ['１２７.0.0.1', undefined],
    ['0x7f.1', undefined],
    [`${'a'.repeat(64)}.example`, undefined],
    [`${'a.'.repeat(127)}example`, undefined],
  ];
  for (const [text, expected] of names) {
    test(`${JSON.stringify(text.slice(0, 40))} is ${expected ?? 'not valid'}`, () =>
      assert.equal(domainName(text), expected));
  }
});

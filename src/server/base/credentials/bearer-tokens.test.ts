import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOfToken, newBearerToken } from './bearer-tokens.ts';

test('a token has a prefix, 256 random bits and a checksum', () => {
  const token = newBearerToken('serviceAccount');
  assert.match(token, /^atrium_sat_[0-9A-Za-z]{49}$/);
  assert.notEqual(newBearerToken('serviceAccount'), token);
  assert.equal(kindOfToken(token), 'serviceAccount');
  assert.equal(kindOfToken(newBearerToken('personal')), 'personal');
});

test('a text with a changed character, another length or another prefix is not a token', () => {
  const token = newBearerToken('personal');
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'a' ? 'b' : 'a';
    assert.equal(kindOfToken(token.slice(0, index) + other + token.slice(index + 1)), undefined);
  }
  for (const text of ['', token.slice(1), `${token}a`, ` ${token}`, `${token}\n`, token.toUpperCase()])
    assert.equal(kindOfToken(text), undefined);
  assert.equal(kindOfToken(token.replace('_pat_', '_sat_')), undefined);
});

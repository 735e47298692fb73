import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withUserInfo } from './userinfo.ts';

const names = ['email', 'email_verified', 'preferred_username', 'upn'];

test('the UserInfo endpoint confirms an address only if it is about the same one', () => {
  const idToken = { sub: 'x', email: 'boss@contoso.example' };
  const other = { sub: 'x', email: 'me@evil.example', email_verified: true };
  assert.deepEqual(withUserInfo(idToken, other, names), idToken);
  assert.deepEqual(withUserInfo(idToken, { sub: 'x', email_verified: true }, names), idToken);
  const same = { sub: 'x', email: 'boss@contoso.example', email_verified: true };
  assert.deepEqual(withUserInfo(idToken, same, names), { ...idToken, email_verified: true });
  assert.deepEqual(withUserInfo({ sub: 'x' }, other, names), other);
  const denied = { ...other, email_verified: false };
  assert.deepEqual(withUserInfo(idToken, denied, names), { ...idToken, email_verified: false });
});

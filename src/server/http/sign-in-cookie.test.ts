import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSignInToken, signInCookieHeader } from './sign-in-cookie.ts';

const token = 'a'.repeat(43);

test('with https, no other host of the domain can set the cookie of a sign-in', () => {
  assert.equal(
    signInCookieHeader(token, true),
    `__Host-atrium.sign_in=${token}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure`,
  );
  assert.equal(
    signInCookieHeader(token, false),
    `atrium.sign_in=${token}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`,
  );
  assert.equal(readSignInToken(`__Host-atrium.sign_in=${token}`, true), token);
  assert.equal(readSignInToken(`atrium.sign_in=${token}`, false), token);
  // A cookie that another host of the domain can set is not read.
  assert.equal(readSignInToken(`atrium.sign_in=${token}`, true), undefined);
  assert.equal(
    readSignInToken(`__Host-atrium.sign_in=${token}; __Host-atrium.sign_in=${token}`, true),
    undefined,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSignInToken, signInCookieHeader } from './sign-in-cookie.ts';

const token = 'a'.repeat(43);

test('the cookie of a sign-in can be set by no other host of the domain, where there is https', () => {
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
  // What another host of the domain can plant is not read.
  assert.equal(readSignInToken(`atrium.sign_in=${token}`, true), undefined);
  assert.equal(
    readSignInToken(`__Host-atrium.sign_in=${token}; __Host-atrium.sign_in=${token}`, true),
    undefined,
  );
});

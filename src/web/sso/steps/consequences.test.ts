import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consequencesOf, lockOutReason } from './consequences.ts';
import type { Sso } from '../queries.ts';

const sso = {
  connectionId: undefined,
  hasOthers: false,
  orgId: 'o',
  role: 'owner',
  status: {
    state: 'ready',
    reasons: [],
    redirectUri: '',
    logoutUrl: '',
    domains: [
      { domain: 'contoso.com', state: 'proven' },
      { domain: 'contoso.de', state: 'unproven' },
    ],
    domainCount: 2,
    sessionCount: 12,
    recoveryCodesLeft: 0,
    ownRecoveryCodesLeft: 0,
  },
  configuration: {
    id: 'i',
    organizationId: 'o',
    provider: 'idp_ad',
    clientId: 'c',
    discoveryUrl: '',
    emailDomains: ['contoso.com', 'contoso.de'],
    enabled: true,
    hasSecret: true,
    createdAt: '',
    updatedAt: '',
  },
  policy: { requireSso: true, defaultRole: 'viewer', roleMappings: [] },
} satisfies Sso;
const byPassword = { signedInThroughDirectory: false, hasPassword: true };
const requirement =
  'Single sign-on is no longer required. Members who have a password can sign in with it again.';

test('turning off lists who can no longer sign in, and which sessions end', () => {
  assert.deepEqual(consequencesOf(sso, 'turn off', byPassword), [
    'People in contoso.com can no longer sign in through the directory.',
    '12 sessions started through the directory end.',
    requirement,
  ]);
  const one = { ...sso, status: { ...sso.status, sessionCount: 1 } };
  const own = { signedInThroughDirectory: true, hasPassword: false };
  assert.deepEqual(consequencesOf(one, 'turn off', own).slice(1, 3), [
    '1 session started through the directory ends, including yours.',
    'You have no password. To sign in again, you need a recovery code.',
  ]);
});

test('a change that nobody would notice has no consequences', () => {
  const off = { ...sso, configuration: { ...sso.configuration, enabled: false } };
  assert.deepEqual(consequencesOf(off, 'move', byPassword), []);
  assert.deepEqual(consequencesOf(sso, { removedDomain: 'contoso.de' }, byPassword), []);
  assert.deepEqual(consequencesOf({ ...sso, configuration: undefined }, 'delete', byPassword), []);
});

test('without the last verified domain, nobody can sign in through the directory', () => {
  assert.deepEqual(consequencesOf(sso, { removedDomain: 'contoso.com' }, byPassword), [
    'contoso.com is no longer verified, so another organization can verify it.',
    'Nobody can sign in through the directory until another domain is verified.',
    requirement,
  ]);
});

test('deleting lists what is deleted', () => {
  assert.match(consequencesOf(sso, 'delete', byPassword).at(-1) ?? '', /^The client secret .* deleted/);
});

test('people can’t lock themselves out permanently', () => {
  const through = { signedInThroughDirectory: true, hasPassword: false };
  assert.match(lockOutReason(sso, through) ?? '', /Create recovery codes first/);
  assert.match(lockOutReason({ ...sso, role: 'admin' }, through) ?? '', /Ask an owner/);
  assert.equal(lockOutReason(sso, byPassword), undefined);
  const withCodes = { ...sso, status: { ...sso.status, ownRecoveryCodesLeft: 1 } };
  assert.equal(lockOutReason(withCodes, through), undefined);
});

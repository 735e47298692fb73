import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consequencesOf, lockOutReason } from './consequences.ts';
import type { Sso } from '../sso-queries.ts';

const sso = {
  orgId: 'o',
  role: 'owner',
  status: {
    state: 'ready',
    reasons: [],
    redirectUri: '',
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
const byPassword = { cameThroughDirectory: false, hasPassword: true };
const requirement = 'Single sign-on is no longer required: members who have a password sign in by it again.';

test('turning off tells who is shut out, and which sessions end', () => {
  assert.deepEqual(consequencesOf(sso, 'turn off', byPassword), [
    'People of contoso.com no longer sign in through the directory.',
    '12 sessions that came through the directory end.',
    requirement,
  ]);
  const one = { ...sso, status: { ...sso.status, sessionCount: 1 } };
  const own = { cameThroughDirectory: true, hasPassword: false };
  assert.deepEqual(consequencesOf(one, 'turn off', own).slice(1, 3), [
    '1 session that came through the directory ends, yours among them.',
    'You have no password: you come back by a recovery code.',
  ]);
});

test('what nobody would notice is not asked about', () => {
  const off = { ...sso, configuration: { ...sso.configuration, enabled: false } };
  assert.deepEqual(consequencesOf(off, 'move', byPassword), []);
  assert.deepEqual(consequencesOf(sso, { removedDomain: 'contoso.de' }, byPassword), []);
  assert.deepEqual(consequencesOf({ ...sso, configuration: undefined }, 'delete', byPassword), []);
});

test('the last proven domain takes the way in with it', () => {
  assert.deepEqual(consequencesOf(sso, { removedDomain: 'contoso.com' }, byPassword), [
    'The proof of contoso.com is given up: another organization may prove it then.',
    'Nobody comes in through the directory until another domain is proven.',
    requirement,
  ]);
});

test('deleting tells what is forgotten', () => {
  assert.match(consequencesOf(sso, 'delete', byPassword).at(-1) ?? '', /^The client secret is forgotten/);
});

test('nobody shuts out themselves for good', () => {
  const through = { cameThroughDirectory: true, hasPassword: false };
  assert.match(lockOutReason(sso, through) ?? '', /make recovery codes first/);
  assert.match(lockOutReason({ ...sso, role: 'admin' }, through) ?? '', /Ask an owner/);
  assert.equal(lockOutReason(sso, byPassword), undefined);
  const withCodes = { ...sso, status: { ...sso.status, ownRecoveryCodesLeft: 1 } };
  assert.equal(lockOutReason(withCodes, through), undefined);
});

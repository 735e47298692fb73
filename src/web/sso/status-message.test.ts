import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SsoStatus } from '#contract/sso/policy.ts';
import { listed, statusMessage } from './status-message.ts';

const bare: SsoStatus = {
  state: 'off',
  reasons: [],
  redirectUri: '',
  logoutUrl: '',
  domains: [{ domain: 'contoso.com', state: 'proven' }],
  domainCount: 1,
  sessionCount: 0,
  recoveryCodesLeft: 0,
  ownRecoveryCodesLeft: 0,
};
const reason = (code: string) => ({ code, message: `The ${code} is wrong.`, remedy: `Mend ${code}.` });
const said = (status: Partial<SsoStatus>, isTested = false, requireSso = false) => {
  const { tone, what, next, others } = statusMessage(
    { ...bare, ...status },
    { directory: 'Microsoft Entra ID', isTested, requireSso },
  );
  return [tone, `${what} ${next}`, others.map(({ code }) => code).join()];
};

test('the status is one sentence about what works, and one about what to do', () => {
  assert.deepEqual(said({ reasons: [reason('configuration_missing')] }), [
    'calm',
    'Single sign-on is not set up. People sign in with a password. Register Atrium in your directory with the redirect URI, then enter the app details.',
    '',
  ]);
  assert.deepEqual(said({ reasons: [reason('secret_missing'), reason('domain_unproven')] }), [
    'calm',
    'Single sign-on is off and not ready. The secret_missing is wrong. Mend secret_missing.',
    'domain_unproven',
  ]);
  const off = 'Single sign-on is ready but off. People sign in with a password.';
  assert.deepEqual(said({ reasons: [reason('domain_unproven')] }), [
    'calm',
    `${off} Test a sign-in, then turn it on.`,
    'domain_unproven',
  ]);
  assert.deepEqual(said({}, true), ['calm', `${off} Turn it on.`, '']);
  assert.deepEqual(said({ state: 'blocked', reasons: [reason('no_proven_domain')] }), [
    'bad',
    'Single sign-on is on, but nobody can sign in. The no_proven_domain is wrong. Mend no_proven_domain.',
    '',
  ]);
  assert.deepEqual(said({ state: 'failing', reasons: [reason('invalid_client')] }), [
    'bad',
    'Microsoft Entra ID refused the last sign-in. The invalid_client is wrong. Mend invalid_client.',
    '',
  ]);
  assert.deepEqual(said({ state: 'ready' }), [
    'good',
    'People in contoso.com sign in through Microsoft Entra ID. There is nothing to do.',
    '',
  ]);
  assert.deepEqual(said({ state: 'ready', reasons: [reason('secret_expires_soon')] }, true, true), [
    'good',
    'People in contoso.com must sign in through Microsoft Entra ID. The secret_expires_soon is wrong. Mend secret_expires_soon.',
    '',
  ]);
});

test('long lists of names are shortened', () => {
  assert.equal(listed([]), '');
  assert.equal(listed(['a']), 'a');
  assert.equal(listed(['a', 'b']), 'a and b');
  assert.equal(listed(['a', 'b', 'c', 'd', 'e']), 'a, b, c, and 2 more');
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainProviderError } from './entra-errors.ts';

/** The text that Entra appends to its descriptions. */
const trace =
  ' Trace ID: 3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f Correlation ID: 6f0c2f0e-6a51-4c8c-9d0e-1d2c3b4a5968 ' +
  'Timestamp: 2026-11-21 09:00:00Z';

/** Codes that administrators see, with a pattern for the message and one for the remedy. */
const known: readonly [error: string, description: string, message: RegExp, remedy: RegExp][] = [
  ['access_denied', 'AADSTS50011: The redirect URI specified', /redirect URI/, /platform Web/],
  [
    'invalid_client',
    'AADSTS7000215: Invalid client secret provided.',
    /secret is wrong/,
    /Value .*not its Secret ID/,
  ],
  ['invalid_client', 'AADSTS7000222: The provided client secret keys are expired.', /expired/, /new secret/],
  ['invalid_client', 'AADSTS7000218: The request body must contain', /secret is missing/, /save its Value/],
  [
    'unauthorized_client',
    'AADSTS700016: Application with identifier',
    /application doesn’t exist in the tenant/,
    /client ID/,
  ],
  [
    'invalid_request',
    "AADSTS90002: Tenant 'x' not found.",
    /tenant doesn’t exist/,
    /directory \(tenant\) ID/,
  ],
  ['invalid_grant', 'AADSTS50105: Your administrator has configured', /isn’t assigned/, /Users and groups/],
  ['consent_required', 'AADSTS65001: The user or administrator has not', /consented/, /grant admin consent/],
  ['access_denied', 'AADSTS65004: User declined to consent', /declined/, /accept/],
  [
    'access_denied',
    'AADSTS90094: Admin consent is required',
    /administrator has to consent/,
    /admin consent/,
  ],
  ['invalid_grant', 'AADSTS50020: User account from identity provider', /another directory/, /guest/],
  ['invalid_grant', 'AADSTS50034: The user account does not exist', /doesn’t exist/, /email address/],
  ['invalid_grant', 'AADSTS50053: The account is locked', /locked/, /unlock/],
  ['invalid_grant', 'AADSTS50055: The password is expired.', /password has expired/, /Change the password/],
  ['invalid_grant', 'AADSTS50057: The user account is disabled.', /disabled/, /Enable/],
  ['invalid_grant', 'AADSTS50076: Due to a configuration change', /Multi-factor/, /Conditional Access/],
  ['invalid_grant', 'AADSTS50079: Due to a configuration change', /enroll/, /mfasetup/],
  ['invalid_grant', 'AADSTS50126: Error validating credentials', /password is wrong/, /Try again/],
  ['invalid_request', 'AADSTS50194: Application is not configured as multi', /single-tenant/, /tenant/],
  ['interaction_required', 'AADSTS53003: Access has been blocked', /Conditional Access/, /sign-in logs/],
  ['invalid_client', 'AADSTS700025: Client is public so', /public client/, /platform Web/],
  ['unauthorized_client', 'AADSTS7000112: Application is disabled.', /disabled/, /Properties/],
  ['invalid_request', 'AADSTS9002325: Proof Key for Code Exchange', /Proof Key/, /platform Web/],
];

describe('an error of the identity provider', () => {
  test(`is explained if it is one of ${known.length} common Entra codes`, () => {
    for (const [error, description, message, remedy] of known) {
      const explained = explainProviderError(error, description + trace);
      assert.equal(explained.code, description.split(':')[0]);
      assert.match(explained.message, message, description);
      assert.match(explained.remedy, remedy, description);
      // Entra's own text contains the trace, the person, sometimes a hint of the secret.
      assert.doesNotMatch(explained.message, /Trace ID|AADSTS/, description);
    }
  });

  test('with another Entra code is passed on under that code', () => {
    assert.deepEqual(explainProviderError('server_error', `AADSTS90033: A transient error.${trace}`), {
      code: 'AADSTS90033',
      message: `The identity provider returned the error server_error: AADSTS90033: A transient error.${trace}`,
      remedy: 'See the identity provider’s documentation of this error.',
    });
  });

  test('without an Entra code is passed on under its own code', () => {
    const remedy = 'See the identity provider’s documentation of this error.';
    assert.deepEqual(explainProviderError('access_denied', undefined), {
      code: 'access_denied',
      message: 'The identity provider returned the error access_denied',
      remedy,
    });
    assert.deepEqual(explainProviderError('invalid_client', 'MSIS9623: The client is not known.'), {
      code: 'invalid_client',
      message: 'The identity provider returned the error invalid_client: MSIS9623: The client is not known.',
      remedy: 'Enter the client secret again, and check that the client ID belongs to the application.',
    });
  });

  test('gets the first of several codes, and ignores text that only looks like a code', () => {
    const two = explainProviderError('x', 'AADSTS50105: not assigned. See also AADSTS50011.');
    assert.equal(two.code, 'AADSTS50105');
    const lookalikes = [
      'AADSTS',
      'AADSTS1',
      'XAADSTS50011',
      'aadsts50011',
      `AADSTS${'5'.repeat(5_000)}`,
      'AADSTS50011x',
    ];
    for (const description of lookalikes)
      assert.equal(explainProviderError('x', description).code, 'x', description.slice(0, 50));
    const inherited = explainProviderError('constructor', 'AADSTS__proto__ toString');
    assert.equal(inherited.code, 'constructor');
  });

  test('contains no characters that control a terminal or forge a log line', () => {
    const description = 'one\u0000\r\n{"level":60}\u001b[31mred\u202edesrever\u2066\ud800';
    const { code, message } = explainProviderError(`bad\r\n\u001b]0;title\u0007code`, description);
    assert.equal(code, 'bad ]0;title code');
    for (const text of [code, message]) assert.doesNotMatch(text, /[\p{C}]/u);
    assert.match(message, /one \{"level":60\} \[31mred desrever/);
    assert.equal(explainProviderError('\u0000\n', undefined).code, 'provider_error');
  });

  test('is truncated, however long the description is', () => {
    const { code, message } = explainProviderError('e'.repeat(100_000), 'd'.repeat(200_000));
    assert.ok(code.length <= 100 && message.length <= 600, `${code.length} ${message.length}`);
  });
});

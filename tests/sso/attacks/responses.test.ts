import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bends } from '../../support/sso/hostile-provider.ts';
import {
  describeTenancies,
  expectControl,
  expectRefusal,
  type HostileCase,
} from '../../support/sso/hostile-world.ts';

/** The browser returns with other parameters; those that are undefined are left out. */
const callback = (changes: Readonly<Record<string, string | undefined>>): Bends => ({
  callback: (parameters) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) parameters.delete(name);
      else parameters.set(name, value);
    }
  },
});
const again = (name: string, value?: string): Bends => ({
  callback: (parameters) => parameters.append(name, value ?? parameters.get(name) ?? ''),
});
const error = (error: string, error_description?: string): Bends =>
  callback({ code: undefined, error, error_description });
const advertised: Bends = {
  discovery: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }),
};
const elsewhere = callback({ iss: 'https://elsewhere.example' });
const script = '<script>alert(1)</script>';
const long = { error: 'e'.repeat(3_000), error_description: 'd'.repeat(3_000) };
const lineBreaks = { error: '\r\n', error_description: 'a\r\nSet-Cookie: x=y\u001b[2J' };

const cases: HostileCase[] = [
  ['no issuer where one is advertised (RFC 9207)', advertised, 'token_invalid', /iss/],
  ['another issuer where one is advertised', { ...advertised, ...elsewhere }, 'token_invalid', /iss/],
  ['another issuer where none is advertised', elsewhere, 'token_invalid', /iss/],
  [
    'an error without description',
    error('access_denied'),
    'access_denied',
    /^The identity provider returned the error access_denied\. \(Reported by the browser/,
  ],
  [
    'an error with description',
    error('access_denied', 'AADSTS50105: not assigned'),
    'AADSTS50105',
    /isn’t assigned/,
  ],
  [
    'an error in addition to a code',
    callback({ error: 'server_error' }),
    'server_error',
    /server_error\. \(Reported by the browser/,
  ],
  ['a script', callback({ error: script, error_description: script }), 'provider_error', /^[^<]*$/],
  [
    'an error of 3,000 characters',
    callback(long),
    'provider_error',
    /^The identity provider returned the error provider_error\./,
  ],
  ['an error of line breaks', callback(lineBreaks), 'provider_error', /^\P{C}*$/u],
  ['no code', callback({ code: undefined }), 'token_invalid', /code/],
  ['an empty code', callback({ code: '' }), 'token_invalid', /./],
  ['another code', callback({ code: 'another' }), 'invalid_grant', /invalid_grant/],
  ['two codes', again('code', 'another'), 'token_invalid', /code/],
  ['a duplicate state', again('state'), 'token_invalid', /state/],
  [
    'an ID token in addition to the code',
    callback({ id_token: 'x.y.z' }),
    'token_invalid',
    /implicit or hybrid flow/,
  ],
  ['a signed response', callback({ code: undefined, response: 'x.y.z' }), 'token_invalid', /./],
];

describeTenancies(
  'a callback is refused for',
  (world) => {
    test('an invalid response of the provider', async (context) => {
      const tenancy = await world.createTenancy();
      tenancy.provider.bend({ ...advertised, ...callback({ iss: tenancy.provider.issuer }) });
      await expectControl(tenancy, 'the right issuer where one is advertised');
      for (const hostile of cases) {
        await context.test(hostile[0], () => expectRefusal(tenancy, hostile, { isOfBrowser: true }));
      }
    });

    test('a script, which is only shown as text', async () => {
      const tenancy = await world.createTenancy();
      tenancy.provider.bend(callback({ error: script }));
      const { response } = await tenancy.signIn();
      assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8');
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.match(String(response.headers['content-security-policy']), /default-src 'none'/);
    });
  },
  ['SQLite'],
);

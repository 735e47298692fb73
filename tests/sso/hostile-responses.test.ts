import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  expectControl,
  expectRefusal,
  startTenancies,
  type HostileCase,
} from '../support/sso/hostile-world.ts';

const comesBackWith = (change: (parameters: URLSearchParams) => void): HostileCase['bends'] => ({
  callback: change,
});
const advertised: HostileCase['bends'] = {
  discovery: (honest) => ({ ...honest, authorization_response_iss_parameter_supported: true }),
};
const script = '<script>alert(1)</script>';

const answers: HostileCase[] = [
  {
    name: 'no issuer where one is advertised (RFC 9207)',
    bends: advertised,
    refusal: ['token_invalid', /iss/],
  },
  {
    name: 'another issuer where one is advertised',
    bends: { ...advertised, callback: (p) => p.set('iss', 'https://elsewhere.example') },
    refusal: ['token_invalid', /iss/],
  },
  {
    name: 'another issuer where none is advertised',
    bends: comesBackWith((p) => p.set('iss', 'https://elsewhere.example')),
    refusal: ['token_invalid', /iss/],
  },
  {
    name: 'an error without description',
    bends: comesBackWith((p) => {
      p.delete('code');
      p.set('error', 'access_denied');
    }),
    refusal: [
      'access_denied',
      /^The identity provider returned the error access_denied\. \(Reported by the browser/,
    ],
  },
  {
    name: 'an error with description',
    bends: comesBackWith((p) => {
      p.delete('code');
      p.set('error', 'access_denied');
      p.set('error_description', 'AADSTS50105: not assigned');
    }),
    refusal: ['AADSTS50105', /isn’t assigned/],
  },
  {
    name: 'an error in addition to a code',
    bends: comesBackWith((p) => p.set('error', 'server_error')),
    refusal: ['server_error', /server_error\. \(Reported by the browser/],
  },
  {
    name: 'a script',
    bends: comesBackWith((p) => {
      p.set('error', script);
      p.set('error_description', script);
    }),
    refusal: ['provider_error', /^[^<]*$/],
  },
  {
    name: 'an error of 3,000 characters',
    bends: comesBackWith((p) => {
      p.set('error', 'e'.repeat(3_000));
      p.set('error_description', 'd'.repeat(3_000));
    }),
    refusal: ['provider_error', /^The identity provider returned the error provider_error\./],
  },
  {
    name: 'an error of line breaks',
    bends: comesBackWith((p) => {
      p.set('error', '\r\n');
      p.set('error_description', 'a\r\nSet-Cookie: x=y\u001b[2J');
    }),
    refusal: ['provider_error', /^\P{C}*$/u],
  },
  { name: 'no code', bends: comesBackWith((p) => p.delete('code')), refusal: ['token_invalid', /code/] },
  { name: 'an empty code', bends: comesBackWith((p) => p.set('code', '')), refusal: ['token_invalid', /./] },
  {
    name: 'another code',
    bends: comesBackWith((p) => p.set('code', 'another')),
    refusal: ['invalid_grant', /invalid_grant/],
  },
  {
    name: 'two codes',
    bends: comesBackWith((p) => p.append('code', 'another')),
    refusal: ['token_invalid', /code/],
  },
  {
    name: 'a duplicate state',
    bends: comesBackWith((p) => p.append('state', p.get('state') ?? '')),
    refusal: ['token_invalid', /state/],
  },
  {
    name: 'an ID token in addition to the code',
    bends: comesBackWith((p) => p.set('id_token', 'x.y.z')),
    refusal: ['token_invalid', /implicit or hybrid flow/],
  },
  {
    name: 'a signed response',
    bends: comesBackWith((p) => {
      p.delete('code');
      p.set('response', 'x.y.z');
    }),
    refusal: ['token_invalid', /./],
  },
];

describe('a callback is refused for', () => {
  test('an invalid response of the provider', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    tenancy.provider.bend({ ...advertised, callback: (p) => p.set('iss', tenancy.provider.issuer) });
    await expectControl(tenancy, 'the right issuer where one is advertised');
    for (const hostile of answers) {
      await context.test(hostile.name, () => expectRefusal(tenancy, { ...hostile, isOfBrowser: true }));
    }
  });

  test('a script, which is only shown as text', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    tenancy.provider.bend(comesBackWith((p) => p.set('error', script)));
    const { answer } = await tenancy.signIn();
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
  });
});

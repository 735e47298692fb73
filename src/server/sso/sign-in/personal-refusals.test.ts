import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesInSource } from '../../../../tests/support/sso/refusal-codes.ts';
import { isPersonal } from './personal-refusals.ts';

test('each refusal is about one person, or means that the configuration does not work', () => {
  const { refusals, entra } = codesInSource();
  const codes = [...refusals, ...entra];
  assert.deepEqual(codes.filter(isPersonal), [
    'deactivated',
    'domain_refused',
    'email_refused',
    'hosted_domain_refused',
    'link_refused',
    'owner_not_approved',
    'AADSTS16000',
    'AADSTS50020',
    'AADSTS50034',
    'AADSTS50053',
    'AADSTS50055',
    'AADSTS50057',
    'AADSTS50058',
    'AADSTS50072',
    'AADSTS50076',
    'AADSTS50079',
    'AADSTS50105',
    'AADSTS50126',
    'AADSTS53000',
    'AADSTS53003',
    'AADSTS65004',
    'AADSTS75011',
    'AADSTS90072',
  ]);
  assert.deepEqual(
    codes.filter((code) => !isPersonal(code)),
    [
      'address_refused',
      'configuration_changed',
      'configuration_incomplete',
      'discovery_failed',
      'discovery_invalid',
      'identity_refused',
      'issuer_mismatch',
      'provider_error',
      'provider_unreachable',
      'secret_unreadable',
      'sign_in_ended',
      'tenant_refused',
      'tenant_required',
      'token_invalid',
      'userinfo_failed',
      'AADSTS50001',
      'AADSTS50011',
      'AADSTS50059',
      'AADSTS50194',
      'AADSTS65001',
      'AADSTS70001',
      'AADSTS70011',
      'AADSTS90002',
      'AADSTS90094',
      'AADSTS700016',
      'AADSTS700025',
      'AADSTS700054',
      'AADSTS7000112',
      'AADSTS7000215',
      'AADSTS7000218',
      'AADSTS7000222',
      'AADSTS9002313',
      'AADSTS9002325',
    ],
  );
});

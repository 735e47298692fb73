import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryText } from './texts.ts';

test('an entry reads as a sentence', () => {
  const wordsOf = (action: string, details = {}) => entryText({ action, details });
  assert.equal(
    wordsOf('member.role_changed', { email: 'bob@example.com', before: 'viewer', after: 'admin' }),
    'changed the role of bob@example.com from viewer to admin',
  );
  assert.equal(
    wordsOf('sign_in.succeeded', { method: 'sso', address: '10.0.0.7' }),
    'signed in through single sign-on from 10.0.0.7',
  );
  assert.equal(
    wordsOf('sign_in.refused', { email: 'bob@example.com', message: 'Incorrect password.' }),
    'A sign-in as bob@example.com was refused: Incorrect password.',
  );
  const policy = { secondFactor: 'owners', confirmSsoChanges: true };
  assert.equal(
    wordsOf('authentication_policy.saved', {
      before: policy,
      after: { secondFactor: 'off', confirmSsoChanges: false },
    }),
    'ended the requirement of a second factor and ended the confirmation of identity before changes of single sign-on',
  );
  assert.equal(
    wordsOf('authentication_policy.saved', {
      before: { ...policy, confirmSsoChanges: false },
      after: policy,
    }),
    'required a confirmation of identity before changes of single sign-on',
  );
  assert.equal(wordsOf('report.purged', { name: '<b>R</b>' }), 'permanently deleted the report “<b>R</b>”');
  assert.equal(wordsOf('of.the.future'), 'of.the.future');
});

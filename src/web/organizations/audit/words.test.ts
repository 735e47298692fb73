import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { auditActions, auditWords } from './words.ts';

test('every action that the server writes down has words', () => {
  const source = readFileSync(new URL('../../../server/audit/audit.ts', import.meta.url), 'utf8');
  const [, union = ''] = /export type AuditAction =([^;]+);/.exec(source) ?? [];
  const written = [...union.matchAll(/'([^']+)'/g)].map(([, action = '']) => action);
  assert.ok(written.length > 30);
  assert.deepEqual(auditActions.map(({ value }) => value).toSorted(), written.toSorted());
});

test('an entry reads as a sentence', () => {
  const said = (action: string, details = {}) => auditWords({ action, details });
  assert.equal(
    said('member.role_changed', { email: 'bob@example.com', before: 'viewer', after: 'admin' }),
    'made bob@example.com admin instead of viewer',
  );
  assert.equal(
    said('sign_in.succeeded', { method: 'sso', address: '10.0.0.7' }),
    'signed in through the directory from 10.0.0.7',
  );
  assert.equal(
    said('sign_in.refused', { email: 'bob@example.com', message: 'The password is wrong.' }),
    'A sign-in as bob@example.com was refused: The password is wrong.',
  );
  assert.equal(said('report.purged', { name: '<b>R</b>' }), 'permanently deleted the report “<b>R</b>”');
  assert.equal(said('of.the.future'), 'of.the.future');
});

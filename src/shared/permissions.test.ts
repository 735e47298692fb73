import assert from 'node:assert/strict';
import { test } from 'node:test';
import { may, permissions, roles, rolesWith, type Action } from './permissions.ts';

test('a role permits everything that a lower one always permits', () => {
  for (const action of Object.keys(permissions) as Action[]) {
    const granted = roles.map((role) => Number(may(role, action)));
    assert.deepEqual(
      granted,
      granted.toSorted((one, other) => other - one),
      action,
    );
  }
});

test('the roles that permit an action are named by the lowest one', () => {
  assert.deepEqual((['sso.require', 'member.manage', 'report.create'] as const).map(rolesWith), [
    'the owner role',
    'the admin role or higher',
    'the editor role or higher',
  ]);
});

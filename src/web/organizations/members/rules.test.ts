import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles } from '#shared/permissions.ts';
import { reasonAgainstLeaving, reasonAgainstManaging, rolesToGive } from './rules.ts';

const [ada, bob, cyd] = [
  { userId: 'ada', role: 'owner' },
  { userId: 'bob', role: 'owner' },
  { userId: 'cyd', role: 'editor' },
] as const;

test('the last owner can’t leave, but one of two can', () => {
  const alone = [ada, cyd];
  assert.match(reasonAgainstManaging({ myRole: 'owner', member: ada, members: alone }) ?? '', /at least one/);
  assert.match(reasonAgainstLeaving({ member: ada, members: alone }) ?? '', /at least one/);
  assert.equal(reasonAgainstLeaving({ member: ada, members: [...alone, bob] }), undefined);
  assert.equal(reasonAgainstLeaving({ member: cyd, members: alone }), undefined);
});

test('an admin can’t manage owners, and a viewer can’t manage anyone', () => {
  const members = [ada, bob, cyd];
  assert.match(reasonAgainstManaging({ myRole: 'admin', member: bob, members }) ?? '', /Only an owner/);
  assert.equal(reasonAgainstManaging({ myRole: 'admin', member: cyd, members }), undefined);
  assert.match(
    reasonAgainstManaging({ myRole: 'viewer', member: cyd, members }) ?? '',
    /the admin role or higher/,
  );
  assert.match(
    reasonAgainstManaging({ myRole: undefined, member: cyd, members }) ?? '',
    /the admin role or higher/,
  );
  assert.deepEqual(
    rolesToGive('admin'),
    roles.filter((role) => role !== 'owner'),
  );
});

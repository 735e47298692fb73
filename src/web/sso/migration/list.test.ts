import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormerPerson } from '#contract/sso/migration.ts';
import { outcomeOf, outcomeText, printList, readList } from './list.ts';

const person = (userId: string, email: string, other: Partial<FormerPerson> = {}): FormerPerson => ({
  userId,
  email,
  name: userId,
  state: 'matched',
  by: 'address',
  needsPassword: false,
  ...other,
});
const people = [person('1', 'bob@x.example'), person('2', 'carol@x.example'), person('3', 'twin@x.example')];
const twins = [...people, person('4', 'twin@x.example')];

test('reads addresses, IDs and exclusions, and prints them again', () => {
  const text = 'bob@x.example,robert@x.example\ncarol@x.example,c0ffee\n4';
  assert.deepEqual(readList(`\n BOB@x.example ; robert@x.example\ncarol@x.example\tc0ffee\n\n4,`, twins), {
    people: [{ userId: '1', email: 'robert@x.example' }, { userId: '2', subject: 'c0ffee' }, { userId: '4' }],
  });
  assert.equal(printList(readList(text, twins).people ?? [], twins), text);
});

test('says which line can’t be used', () => {
  for (const [text, fault] of [
    ['\neve@x.example,y', 'Line 2: nobody of the former provider has the address eve@x.example.'],
    [
      'twin@x.example,y',
      'Line 1: several people have the address twin@x.example; use one of their IDs: 3, 4.',
    ],
    ['bob@x.example,a\nbob@x.example,b', 'Line 2: bob@x.example is listed twice.'],
    ['bob@x.example,a,b', 'Line 1: it has more than two values.'],
  ] as const)
    assert.deepEqual(readList(text, twins), { fault });
});

test('previews what a draft changes', () => {
  const [bob] = people;
  assert.ok(bob);
  const text = (draft: Parameters<typeof outcomeOf>[1], other: Partial<FormerPerson> = {}) =>
    outcomeText(outcomeOf({ ...bob, ...other }, draft));
  const none = { byAddress: true, people: [] };
  assert.equal(text(none), 'Keeps the account (by address)');
  assert.equal(text(none, { needsPassword: true }), 'Keeps the account (by address, with the password)');
  assert.equal(text({ ...none, byAddress: false }), 'New account (addresses aren’t used)');
  // What was saved before doesn't matter.
  for (const reason of ['address_not_used', 'excluded'] as const)
    assert.equal(text(none, { state: 'unmatched', reason }), 'Keeps the account (by address)');
  const shared = { state: 'matched', by: 'list', addressProblem: 'address_shared' } as const;
  assert.equal(text(none, shared), 'New account (address shared)');
  const listed = { ...none, people: [{ userId: '1', email: 'bob@y.example' }] };
  assert.equal(
    text(listed, { state: 'unmatched', reason: 'address_shared', needsPassword: true }),
    'Keeps the account (from the list, with the password)',
  );
  assert.equal(
    text({ ...none, people: [{ userId: '1', subject: 's' }] }),
    'Keeps the account (from the list)',
  );
  assert.equal(text({ ...none, people: [{ userId: '1' }] }), 'New account (excluded)');
  const removed = { state: 'unmatched', reason: 'not_a_member' } as const;
  assert.equal(
    text({ ...none, people: [{ userId: '1', subject: 's' }] }, removed),
    'New account (not a member)',
  );
  assert.equal(text({ ...none, people: [{ userId: '1' }] }, { state: 'moved' }), 'Signed in');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '#contract/organizations/organizations.ts';
import {
  accept,
  change,
  forbidden,
  invite,
  linkNotValid,
  listInvitations,
  membersOf,
  readInvitation,
  remove,
  signUp,
} from '../../../../tests/support/organizations/calls.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { invitersAndPasswordResets } from '../../storage/migrations/014-inviters-and-password-resets.ts';
import { applyRole } from '../members.ts';
import { deleteMember, updateMemberRole } from '../member-store.ts';

describeOnUsualEngine('the rights behind an invitation', (engine) => {
  test('a removed admin cannot join again with an earlier link, nor with one to their own address', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const [eve, accomplice] = [await server.createPerson('Eve'), await server.createPerson('Accomplice')];
    const id = await server.createOrganization(ada);
    const { token: toEve } = await invite(server, ada, id, eve.email, 'admin');
    await server.addMember(id, eve, 'admin');
    const { token } = await invite(server, eve, id, 'eve.again@example.com', 'admin');
    const { token: known } = await invite(server, eve, id, accomplice.email, 'admin');
    const { token: kept } = await invite(server, ada, id, 'bob@example.com', 'viewer');
    assert.equal((await remove(server, ada, id, eve.id)).status, 204);
    assert.deepEqual(await openInvitations(server, ada, id), ['viewer bob@example.com']);
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await signUp(server, token)), linkNotValid);
    assert.deepEqual(problemOf(await accept(server, accomplice, known)), linkNotValid);
    assert.deepEqual(problemOf(await accept(server, eve, toEve)), linkNotValid);
    assert.deepEqual(await membersOf(server, ada, id), [`owner ${ada.email}`]);
    assert.equal((await signUp(server, kept)).status, 201);
    assert.deepEqual((await auditDetails(server, ada, id, 'member.removed'))[0]?.['endedInvitations'], [
      accomplice.email,
      eve.email,
      'eve.again@example.com',
    ]);
  });

  test('a link is not valid if its inviter may no longer give the role, for whatever reason', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const bob = await server.createPerson('Bob');
    const open = async (as: Person, role: Role) => (await invite(server, as, id, bob.email, role)).token;
    // Written to the table directly, so that the invitations do not end: the role at the time of use counts.
    const past: [giver: Role, invitedTo: Role, now: Role | undefined, isValid: boolean][] = [
      ['admin', 'viewer', undefined, false],
      ['admin', 'viewer', 'viewer', false],
      ['admin', 'viewer', 'editor', false],
      ['admin', 'admin', 'owner', true],
      ['owner', 'owner', 'admin', false],
      ['owner', 'admin', 'admin', true],
      ['owner', 'owner', 'owner', true],
    ];
    for (const [giver, invitedTo, now, isValid] of past) {
      const inviter = await server.createMember(id, giver);
      const token = await open(inviter, invitedTo);
      await server.database.write((transaction) =>
        now === undefined
          ? deleteMember(transaction, id, inviter.id)
          : updateMemberRole(transaction, {
              organizationId: id,
              userId: inviter.id,
              role: now,
              at: '2026-11-21T09:00:00.000Z',
              by: null,
            }),
      );
      const name = `${invitedTo}, by an ${giver} who is ${now ?? 'no member'}`;
      const responses = [await readInvitation(server, token), await accept(server, bob, token)];
      if (isValid) {
        assert.deepEqual(
          responses.map(({ status }) => status),
          [200, 200],
          name,
        );
        await remove(server, ada, id, bob.id);
      } else {
        for (const response of responses) assert.deepEqual(problemOf(response), linkNotValid, name);
      }
    }
  });

  test('a demotion ends the invitations that the person may no longer create, and no others', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const changes: [name: string, lower: (userId: string, role: Role) => Promise<unknown>][] = [
      ['by an owner', (userId, role) => change(server, ada, id, userId, role)],
      [
        'by the directory',
        (userId, role) =>
          server.database.write((transaction) =>
            applyRole(transaction, server.clock, { organizationId: id, userId, role }),
          ),
      ],
    ];
    for (const [name, lower] of changes) {
      const inviter = await server.createMember(id, 'owner');
      await invite(server, inviter, id, 'one@example.com', 'owner');
      const { token } = await invite(server, inviter, id, 'two@example.com', 'admin');
      await lower(inviter.id, 'admin');
      assert.deepEqual(await openInvitations(server, ada, id), ['admin two@example.com'], name);
      await lower(inviter.id, 'editor');
      assert.deepEqual(await openInvitations(server, ada, id), [], name);
      await change(server, ada, id, inviter.id, 'owner');
      assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid, name);
    }
    assert.deepEqual(
      (await auditDetails(server, ada, id, 'member.role_changed')).map(
        ({ endedInvitations }) => endedInvitations,
      ),
      [
        undefined,
        ['two@example.com'],
        ['one@example.com'],
        undefined,
        ['two@example.com'],
        ['one@example.com'],
      ],
    );
  });

  test('only an owner can replace or revoke an owner’s invitation', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const admin = await server.createMember(id, 'admin');
    const bob = await server.createPerson('Bob');
    const { body, token } = await invite(server, ada, id, bob.email, 'owner');
    const path = `/api/organizations/${id}/invitations/${body.id}`;
    for (const role of ['viewer', 'admin'] as const) {
      assert.deepEqual(
        problemOf(await invite(server, admin, id, ` ${bob.email.toUpperCase()}`, role)),
        forbidden,
      );
    }
    assert.deepEqual(problemOf(await server.call(`DELETE ${path}`, { as: admin })), forbidden);
    assert.deepEqual(await openInvitations(server, ada, id), [`owner ${bob.email}`]);
    assert.equal((await readInvitation(server, token)).status, 200);
    assert.equal((await server.call(`DELETE ${path}`, { as: ada })).status, 204);
    // An expired invitation blocks nothing.
    await invite(server, ada, id, bob.email, 'owner');
    server.advance(7 * 86_400_000);
    const later = await server.createMember(id, 'admin');
    assert.equal((await invite(server, later, id, bob.email)).status, 201);
  });

  test('the inviter of an older invitation comes from the audit log', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const admin = await server.createMember(id, 'admin');
    await invite(server, ada, id, 'bob@example.com', 'admin');
    const { token } = await invite(server, admin, id, 'bob@example.com', 'admin');
    const [, backfill = ''] = invitersAndPasswordResets(server.database.types, server.database.engine);
    await server.database.write(async (transaction) => {
      await transaction.execute('update invitations set invited_by = null');
    });
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
    await server.database.write((transaction) => transaction.execute(backfill));
    assert.equal((await readInvitation(server, token)).status, 200);
    await remove(server, ada, id, admin.id);
    assert.deepEqual(problemOf(await readInvitation(server, token)), linkNotValid);
  });

  test('an invitation is used or its inviter is removed, never both', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, bob] = [await server.createPerson('Ada'), await server.createPerson('Bob')];
    for (let round = 0; round < 10; round += 1) {
      const id = await server.createOrganization(ada);
      const admin = await server.createMember(id, 'admin');
      const { token } = await invite(server, admin, id, bob.email, 'admin');
      const [used, removed] = await Promise.all([
        accept(server, bob, token),
        remove(server, ada, id, admin.id),
      ]);
      assert.equal(removed?.status, 204);
      const isMember = (await membersOf(server, ada, id)).includes(`admin ${bob.email}`);
      assert.equal(used?.status, isMember ? 200 : 404);
    }
  });
});

/** The open invitations as `admin bob@example.com`, in the order of the addresses. */
async function openInvitations(server: TestServer, as: Person, organizationId: string): Promise<string[]> {
  const { body } = await listInvitations(server, as, organizationId);
  return body.items.map(({ role, email }: { role: string; email: string }) => `${role} ${email}`).toSorted();
}

/** The details of the entries of an action, newest first. */
async function auditDetails(
  server: TestServer,
  as: Person,
  organizationId: string,
  action: string,
): Promise<Record<string, unknown>[]> {
  const { body } = await server.call(`GET /api/organizations/${organizationId}/audit?action=${action}`, {
    as,
  });
  return body.items.map(({ details }: { details: Record<string, unknown> }) => details);
}

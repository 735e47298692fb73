import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import { createMoved } from '../../support/sso/moved-organization.ts';
import { password, type SsoOrganization } from '../../support/sso/organization.ts';
import { linkTokenOf, toPerson } from '../../support/sso/responses.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { problemOf, type Person } from '../../support/server/test-server.ts';

describeSignIns('taking over accounts by changing the identity provider', (world) => {
  /** An organization in which Bob signed in through Entra before it changed to AD FS. */
  async function createMovedWithBob(claims: Readonly<Record<string, unknown>> = {}) {
    let bob: Person | undefined;
    const organization = await createMoved(world, async ({ addPerson, enter }) => {
      bob = await enter(addPerson('Bob', claims));
    });
    assert.ok(bob);
    return { ...organization, bob };
  }

  test('fails without the approval of an owner who has just confirmed their identity', async () => {
    const { server } = world;
    const { id, bob, accept, call, addToAdfs, enterAtAdfs } = await createMovedWithBob();
    const admin = await server.createMember(id, 'admin');
    assert.equal((await accept({}, admin)).status, 403);
    assert.equal((await accept({}, await server.createMember(id, 'editor'))).status, 403);
    const stranger = await server.createPerson('Stranger');
    assert.equal((await accept({}, stranger)).status, 404);
    assert.equal((await call('GET /migration')).body.acceptedAt, undefined);
    server.advance(minutesMs(11));
    assert.deepEqual(problemOf(await accept()), { status: 403, code: 'confirmation_required' });
    assert.notEqual((await enterAtAdfs(addToAdfs('Bob'))).id, bob.id);
  });

  test('fails through a provider that an admin chose, before and after an owner accepted', async () => {
    const { server, adfs } = world;
    const moved = await createMovedWithBob();
    const { id, bob, accept, call, addToAdfs, enterAtAdfs, owner } = moved;
    const admin = await server.createMember(id, 'admin');
    assert.equal((await accept()).status, 200);
    const stored = (await call('GET /config')).body;
    const saveAs = (as: Person, clientId: string) =>
      call('POST /config', { as, body: { ...stored, clientId, clientSecret: adfs.clientSecret } });
    assert.equal((await saveAs(admin, 'elsewhere')).status, 200);
    assert.equal((await saveAs(admin, stored.clientId)).status, 200);
    assert.equal((await call('GET /migration')).body.acceptedAt, undefined);
    assert.deepEqual(problemOf(await accept()), { status: 409, code: 'sso_not_ready' });
    assert.notEqual((await enterAtAdfs(addToAdfs('Bob'))).id, bob.id);
    assert.equal((await saveAs(owner, stored.clientId)).status, 200);
    assert.equal((await accept()).status, 200);
  });

  for (const [what, claims] of [
    ['an unverified address', { email_verified: false, upn: undefined, preferred_username: 'bob@' }],
    ['a user name that is not confirmed', { upn: undefined, preferred_username: 'bob@' }],
    ['an address in another domain', { upn: 'bob@elsewhere.example' }],
  ] as const) {
    test(`fails with ${what}`, async () => {
      const { bob, domain, accept, addToAdfs, signInAtAdfs, members } = await createMovedWithBob();
      assert.equal((await accept()).status, 200);
      const named = Object.fromEntries(
        Object.entries(claims).map(([name, value]) => [name, value === 'bob@' ? `bob@${domain}` : value]),
      );
      const response = await signInAtAdfs(addToAdfs('Mallory', named));
      if (response.status === 302) assert.notEqual((await toPerson(world.server, response)).id, bob.id);
      assert.equal((await members()).find(({ userId }) => userId === bob.id)?.name, 'Bob');
    });
  }

  test('fails for a person whose former address was not confirmed, or that two people had', async () => {
    const { domain, accept, call, people, addToAdfs, enterAtAdfs } = await createMoved(
      world,
      async ({ addPerson, enter, domain }) => {
        await enter(addPerson('Guest', { preferred_username: 'ceo', email: `ceo@${domain}` }));
        await enter(addPerson('Bob'));
        await enter(addPerson('Other Bob', { preferred_username: `bob@${domain}` }));
      },
    );
    assert.equal((await accept()).status, 200);
    const email = `bob@${domain}`;
    assert.deepEqual(await people(), [
      { email: `ceo@${domain}`, state: 'unmatched', reason: 'address_not_verified' },
      { email, state: 'unmatched', reason: 'address_shared' },
      { email, state: 'unmatched', reason: 'address_shared' },
    ]);
    // The page previews other choices with these.
    const { body } = await call('GET /migration/people');
    assert.deepEqual(
      body.items.map(({ addressProblem, needsPassword }: Record<string, unknown>) => [
        addressProblem,
        needsPassword,
      ]),
      [
        ['address_not_verified', false],
        ['address_shared', false],
        ['address_shared', false],
      ],
    );
    const before = await people();
    for (const name of ['CEO', 'Bob']) await enterAtAdfs(addToAdfs(name));
    assert.deepEqual(await people(), before);
  });

  test('fails a second time: a successor with the same address is someone else', async () => {
    const { bob, domain, accept, addToAdfs, enterAtAdfs } = await createMovedWithBob();
    assert.equal((await accept()).status, 200);
    assert.equal((await enterAtAdfs(addToAdfs('Bob'))).id, bob.id);
    const successor = addToAdfs('Successor', { upn: `bob@${domain}` });
    assert.notEqual((await enterAtAdfs(successor)).id, bob.id);
  });

  test('fails for a successor of someone who got a new account before an owner accepted', async () => {
    const { bob, domain, accept, people, addToAdfs, enterAtAdfs } = await createMovedWithBob();
    assert.notEqual((await enterAtAdfs(addToAdfs('Bob'))).id, bob.id);
    assert.equal((await accept()).status, 200);
    const successor = addToAdfs('Successor', { upn: `bob@${domain}` });
    assert.notEqual((await enterAtAdfs(successor)).id, bob.id);
    assert.deepEqual(await people(), [{ email: bob.email, state: 'unmatched', reason: 'address_shared' }]);
  });

  test('fails for people of another organization, and for members who were removed', async () => {
    const { server } = world;
    const other = await world.createOrganization();
    const eve = await other.enter(other.addPerson('Eve'));
    const { id, bob, owner, accept, addToAdfs, enterAtAdfs } = await createMovedWithBob();
    const listed = await accept({ people: [{ userId: eve.id, subject: 'mallory' }] });
    assert.deepEqual([listed.status, listed.body.errors[0].pointer], [400, '/people/0/userId']);
    assert.equal((await accept()).status, 200);
    const path = `DELETE /api/organizations/${id}/members/${bob.id}`;
    assert.equal((await server.call(path, { as: owner })).status, 204);
    assert.notEqual((await enterAtAdfs(addToAdfs('Bob'))).id, bob.id);
  });

  test('fails for a person who is in another organization as well', async () => {
    const { server } = world;
    const { bob, accept, people, addToAdfs, enterAtAdfs } = await createMovedWithBob();
    const other = await world.createOrganization();
    await server.addMember(other.id, bob, 'admin');
    for (const list of [[], [{ userId: bob.id, subject: 'x' }]]) {
      assert.equal((await accept({ people: list })).status, 200);
      const [person] = await people();
      assert.deepEqual([person?.['state'], person?.['reason']], ['unmatched', 'in_other_organizations']);
    }
    assert.notEqual((await enterAtAdfs(addToAdfs('Bob'))).id, bob.id);
  });

  test('requires the password of an account that has one, as linking it did', async () => {
    const { server } = world;
    let ada: Person | undefined;
    const organization = await createMoved(
      world,
      async ({ addAccount, addPerson, enterAndLink }: SsoOrganization) => {
        ada = await addAccount('Ada', 'owner');
        await enterAndLink(addPerson('Ada'));
      },
    );
    const { accept, people, addToAdfs, start, adfs } = organization;
    const subject = addToAdfs('Ada');
    assert.equal((await accept()).status, 200);
    assert.deepEqual(await people(), [
      { email: ada?.email, state: 'matched', by: 'address', needsPassword: true },
    ]);
    const started = await start();
    const { pathname, search } = new URL(await adfs.signIn(started.url, subject));
    const headers = { cookie: started.cookie };
    const back = await server.call(`GET ${pathname}${search}`, { headers });
    assert.doesNotMatch(String(back.headers['set-cookie']), /session_token/);
    const confirm = (typed: string) =>
      server.call('POST /api/sso/sign-in/link', {
        headers,
        body: { token: linkTokenOf(back), password: typed },
      });
    assert.equal((await confirm('a guess')).status, 401);
    const linked = await confirm(password);
    assert.equal(linked.status, 200, linked.text);
    assert.equal((await toPerson(server, linked)).id, ada?.id);
    assert.equal((await people())[0]?.['state'], 'moved');
  });
});

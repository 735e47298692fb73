import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMoved } from '../../support/sso/moved-organization.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { problemOf, type Person } from '../../support/server/test-server.ts';

describeSignIns('a change of the identity provider', (world) => {
  /** An organization in which these people signed in through Entra before it changed to AD FS. */
  async function createMovedWith<Name extends string>(...names: Name[]) {
    const entered = new Map<string, Person>();
    const organization = await createMoved(world, async ({ addPerson, enter }) => {
      for (const name of names) entered.set(name, await enter(addPerson(name)));
    });
    const idOf = (name: Name) => entered.get(name)?.id ?? '';
    return { ...organization, idOf };
  }

  test('gives people new accounts unless an owner accepts the migration', async () => {
    const { idOf, entra, call, domain, people, addToAdfs, enterAtAdfs } = await createMovedWith('Bob');
    const expected = { byAddress: true, people: [], formerIssuers: [entra.issuer], totalCount: 1 };
    assert.deepEqual((await call('GET /migration')).body, { ...expected, movedCount: 0, matchedCount: 1 });
    assert.deepEqual(await people(), [{ email: `bob@${domain}`, state: 'matched', by: 'address' }]);
    assert.notEqual((await enterAtAdfs(addToAdfs('Bob'))).id, idOf('Bob'));
  });

  test('keeps the accounts of people with confirmed addresses, with their dashboards and roles', async () => {
    const { server } = world;
    const { id, idOf, adfs, domain, owner, accept, call, people, audit, addToAdfs, enterAtAdfs, roleOf } =
      await createMovedWith('Bob', 'Carol');
    const path = `/api/organizations/${id}/members/${idOf('Bob')}`;
    assert.equal((await server.call(`PATCH ${path}`, { as: owner, body: { role: 'editor' } })).status, 200);
    assert.equal((await accept()).status, 200);
    const subject = addToAdfs('Bob');
    const bob = await enterAtAdfs(subject);
    assert.equal(bob.id, idOf('Bob'));
    assert.equal(await roleOf(bob), 'editor');
    assert.equal((await enterAtAdfs(subject)).id, bob.id);
    const { body } = await call('GET /migration');
    assert.deepEqual([body.totalCount, body.movedCount, body.matchedCount], [2, 1, 1]);
    const [moved, waiting] = await people();
    const { movedAt, ...rest } = moved ?? {};
    assert.match(String(movedAt), /^\d{4}-/);
    assert.deepEqual(rest, { email: bob.email, state: 'moved' });
    assert.deepEqual(waiting, { email: `carol@${domain}`, state: 'matched', by: 'address' });
    const [written, ...more] = await audit('sso.account.moved');
    assert.deepEqual(more, []);
    assert.deepEqual(written?.details, {
      email: bob.email,
      issuer: adfs.issuer,
      subject,
      address: '127.0.0.1',
      by: 'address',
    });
  });

  test('keeps accounts by a list of addresses and IDs, which takes precedence', async () => {
    const { idOf, domain, accept, people, audit, addToAdfs, enterAtAdfs } = await createMovedWith(
      'Bob',
      'Carol',
      'Dave',
      'Eve',
    );
    const [robert, carol] = [addToAdfs('Robert'), addToAdfs('Carol')];
    const list = [
      { userId: idOf('Bob'), email: ` Robert@${domain.toUpperCase()} ` },
      { userId: idOf('Carol'), subject: carol },
      { userId: idOf('Dave') },
    ];
    assert.equal((await accept({ byAddress: false, people: list })).status, 200);
    const states = async () => (await people()).map(({ state, by, reason }) => [state, by ?? reason]);
    assert.deepEqual(await states(), [
      ['matched', 'list'],
      ['matched', 'list'],
      ['unmatched', 'excluded'],
      ['unmatched', 'address_not_used'],
    ]);
    assert.equal((await enterAtAdfs(robert)).id, idOf('Bob'));
    assert.equal((await enterAtAdfs(carol)).id, idOf('Carol'));
    for (const name of ['Dave', 'Eve'] as const)
      assert.notEqual((await enterAtAdfs(addToAdfs(name))).id, idOf(name));
    const by = (await audit('sso.account.moved')).map(({ details }) => details['by']);
    assert.deepEqual(by, ['list', 'list']);
  });

  test('refuses a list that names someone twice or is not an address', async () => {
    const { idOf, accept, call } = await createMovedWith('Bob', 'Carol');
    const [bob, carol] = [idOf('Bob'), idOf('Carol')];
    for (const [people, pointer] of [
      [[{ userId: bob }, { userId: bob }], '/people/1/userId'],
      [
        [
          { userId: bob, email: 'x@y.example' },
          { userId: carol, email: 'X@y.example' },
        ],
        '/people/1/email',
      ],
      [
        [
          { userId: bob, subject: 'x' },
          { userId: carol, subject: 'x' },
        ],
        '/people/1/subject',
      ],
      [[{ userId: bob, email: 'x y@z' }], '/people/0/email'],
      [[{ userId: 'someone' }], '/people/0/userId'],
    ] as const) {
      const response = await accept({ people });
      assert.deepEqual([response.status, response.body.errors?.[0]?.pointer], [400, pointer]);
    }
    assert.equal((await call('GET /migration')).body.acceptedAt, undefined);
  });

  test('can be undone for a person, who then gets a new account', async () => {
    const { server } = world;
    const { id, idOf, accept, call, people, audit, addToAdfs, enterAtAdfs } = await createMovedWith('Bob');
    assert.equal((await accept()).status, 200);
    const subject = addToAdfs('Bob');
    const bob = await enterAtAdfs(subject);
    const undo = `POST /migration/people/${bob.id}/undo`;
    assert.equal((await call(undo, { as: await server.createMember(id, 'admin') })).status, 403);
    assert.equal((await call(undo)).status, 204);
    assert.equal((await server.call('GET /api/auth/get-session', { as: bob })).status, 401);
    assert.deepEqual(problemOf(await call(undo)), { status: 404, code: 'not_found' });
    assert.deepEqual(await people(), [{ email: bob.email, state: 'unmatched', reason: 'excluded' }]);
    assert.notEqual((await enterAtAdfs(subject)).id, idOf('Bob'));
    assert.deepEqual(
      (await audit('sso.migration.undone')).map(({ details }) => details),
      [{ userId: bob.id }],
    );
  });

  test('can be taken back: people of the former provider are recognized, and not those of the next', async () => {
    const moved = await createMovedWith('Bob', 'Carol');
    const { idOf, domain, entra, adfs, accept, call, enter, moveTo, addToAdfs, enterAtAdfs } = moved;
    assert.equal((await accept()).status, 200);
    assert.equal((await enterAtAdfs(addToAdfs('Bob'))).id, idOf('Bob'));
    await moveTo(entra);
    const { body } = await call('GET /migration');
    assert.deepEqual([body.acceptedAt, body.formerIssuers], [undefined, [adfs.issuer]]);
    for (const name of ['Bob', 'Carol'] as const)
      assert.equal((await enter(`${domain} ${name}`)).id, idOf(name));
    assert.equal((await call(`POST /migration/people/${idOf('Bob')}/undo`)).status, 404);
  });

  test('shows in a test sign-in whose account the person would keep', async () => {
    const { idOf, accept, call, addToAdfs, adfs } = await createMovedWith('Bob');
    assert.equal((await accept()).status, 200);
    const started = await call('POST /config/test');
    const { pathname, search } = new URL(await adfs.signIn(started.body.url, addToAdfs('Bob')));
    const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
    await world.server.call(`GET ${pathname}${search}`, { headers: { cookie } });
    const { body } = await call(`GET /config/test/${started.body.id}`);
    assert.equal(body.account.id, idOf('Bob'));
    const { code, passed, message } = body.checks.at(-1);
    assert.deepEqual([code, passed], ['migration', true]);
    assert.match(message, /^The person keeps the account bob@/);
  });

  test('does not concern an organization without a configuration, or without other issuers', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    await organization.enter(organization.addPerson('Bob'));
    const { body } = await organization.call('GET /migration');
    assert.deepEqual([body.totalCount, body.formerIssuers], [0, []]);
    const owner = await server.createPerson('Owner');
    const id = await server.createOrganization(owner);
    const none = await server.call(`GET /api/sso/orgs/${id}/migration`, { as: owner });
    assert.deepEqual(problemOf(none), { status: 404, code: 'not_found' });
  });
});

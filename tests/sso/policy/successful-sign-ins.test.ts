import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOn } from '../../support/server/commands.ts';
import { createSetUpToken } from '../../../src/server/accounts/set-up.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import { password, type SsoOrganization } from '../../support/sso/organization.ts';
import { toPerson } from '../../support/sso/responses.ts';
import { describeOnUsualEngine, startTestServer } from '../../support/server/test-server.ts';

const address = '127.0.0.1';

describeSignIns('a successful sign-in', (world) => {
  const written = async ({ audit }: SsoOrganization) =>
    (await audit('sign_in.succeeded')).map(({ actorId, details }) => ({ actorId, ...details }));

  test('with a password is in the log of each organization that the session can access', async () => {
    const [one, two] = [await world.createOrganization(), await world.createOrganization()];
    const [closed, foreign] = [await world.createOrganization(), await world.createOrganization()];
    const ada = await one.addAccount('Ada', 'editor');
    await world.server.addMember(two.id, ada, 'viewer');
    await world.server.addMember(closed.id, ada, 'viewer');
    await closed.createRecoveryCodes();
    const scoped = await world.server.createSsoSession(closed.owner, closed.id);
    assert.equal((await closed.putPolicy({ requireSso: true }, scoped)).status, 200);
    const before = (await written(one)).length;
    const signedIn = await world.signInByPassword({ email: ada.email.toUpperCase() });
    assert.equal(signedIn.status, 200);
    // From where is only in the log of an organization that the session opens, once.
    const entry = { actorId: ada.id, method: 'password', email: ada.email };
    assert.deepEqual((await written(one)).slice(before), [entry]);
    assert.deepEqual(await written(two), [entry]);
    assert.deepEqual([await written(closed), await written(foreign)], [[], []]);
    assert.ok(!JSON.stringify(await one.audit()).includes(password));

    const as = await toPerson(world.server, signedIn);
    for (const path of ['', '/members', ''])
      assert.equal((await world.server.call(`GET /api/organizations/${two.id}${path}`, { as })).status, 200);
    assert.equal((await world.server.call(`GET /api/organizations/${closed.id}`, { as })).status, 403);
    const opened = async ({ audit }: SsoOrganization) => {
      await world.server.database.write(async () => {});
      return (await audit('sign_in.opened')).map(({ actorId, details }) => ({ actorId, ...details }));
    };
    assert.deepEqual(await opened(two), [{ actorId: ada.id, method: 'password', address }]);
    assert.deepEqual([await opened(one), await opened(closed), await opened(foreign)], [[], [], []]);
  });

  test('of a person in one organization has the address at once, and again in another one that the session opens', async () => {
    const [only, joined] = [await world.createOrganization(), await world.createOrganization()];
    const ada = await only.addAccount('Ada', 'editor');
    const as = await toPerson(world.server, await world.signInByPassword(ada));
    assert.deepEqual((await written(only)).at(-1), {
      actorId: ada.id,
      method: 'password',
      email: ada.email,
      address,
    });
    await world.server.addMember(joined.id, ada, 'viewer');
    for (const { id } of [only, joined, joined])
      assert.equal((await world.server.call(`GET /api/organizations/${id}`, { as })).status, 200);
    await world.server.database.write(async () => {});
    const opened = [await only.audit('sign_in.opened'), await joined.audit('sign_in.opened')];
    assert.deepEqual(
      opened.map((entries) => entries.map(({ details }) => details)),
      [[], [{ method: 'password', address }]],
    );
  });

  test('through the directory or with a recovery code is only in the log of that organization', async () => {
    const [one, two] = [await world.createOrganization(), await world.createOrganization()];
    const ada = await one.addAccount('Ada', 'owner');
    await world.server.addMember(two.id, ada, 'viewer');
    const before = (await written(one)).length;
    await one.enterAndLink(one.addPerson('Ada'));
    const [code] = await one.createRecoveryCodes(ada);
    const response = await world.signInByCode(ada, code);
    assert.equal(response.status, 200, response.text);
    const entry = { actorId: ada.id, email: ada.email, address };
    assert.deepEqual((await written(one)).slice(before), [
      { ...entry, method: 'sso', role: 'owner' },
      { ...entry, method: 'recovery_code' },
    ]);
    assert.deepEqual(await written(two), []);
  });

  test('of a session that the operator creates is in the log, without the person as the actor', async () => {
    const organization = await world.createOrganization();
    const ada = await organization.addAccount('Ada', 'viewer');
    const before = (await written(organization)).length;
    const { database, secretBox } = world.server;
    await runOn({ database, secretBox }, ['session', 'create', '--email', ada.email]);
    assert.deepEqual((await written(organization)).slice(before), [
      { actorId: undefined, method: 'operator', email: ada.email },
    ]);
  });

  test('with an invitation is in the log', async () => {
    const organization = await world.createOrganization();
    const { body: invited } = await world.server.call(
      `POST /api/organizations/${organization.id}/invitations`,
      {
        as: organization.owner,
        body: { email: `bob@${organization.domain}`, role: 'viewer' },
      },
    );
    const token = new URL(invited.link).hash.slice(1);
    const { status, body } = await world.server.call('POST /api/invitations/sign-up', {
      body: { token, name: 'Bob', password },
    });
    assert.equal(status, 201);
    assert.deepEqual(await written(organization), [
      { actorId: body.user.id, method: 'invitation', email: `bob@${organization.domain}`, address },
    ]);
  });
});

describeOnUsualEngine('setting up the server', (engine) => {
  test('is in the log of the organization that it creates', async (context) => {
    const server = await startTestServer(context, engine);
    const token = await createSetUpToken(server.database, Date.now);
    const body = { token, email: 'ada@example.com', name: 'Ada', password, organization: 'Ours' };
    const done = await server.call('POST /api/set-up', { body });
    assert.ok(done.status < 300, done.text);
    const as = {
      id: done.body.user.id,
      email: 'ada@example.com',
      token: /=([\w-]{43});/.exec(String(done.headers['set-cookie']))?.[1] ?? '',
    };
    const { body: list } = await server.call('GET /api/organizations', { as });
    const { body: audit } = await server.call(
      `GET /api/organizations/${list.items[0].id}/audit?action=sign_in.succeeded`,
      { as },
    );
    assert.deepEqual(
      audit.items.map(({ actorId, details }: { actorId: string; details: object }) => ({
        actorId,
        ...details,
      })),
      [{ actorId: as.id, method: 'set_up', email: as.email, address }],
    );
  });
});

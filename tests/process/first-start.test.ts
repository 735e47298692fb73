import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cookieOf,
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
} from '../support/server/server-process.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

const linkIn = (output: string) =>
  /first owner: https:\/\/atrium\.example\/set-up#(\S{43})"\}$/m.exec(output)?.[1];

describeOnUsualEngine('the first start', (engine) => {
  test('prints a link that sets up the server once, and later starts print none', async (context) => {
    const environment = await freshPlace(context, engine);
    const server = await startServerProcess(context, { environment });
    const token = linkIn(server.output());
    assert.ok(token, server.output());
    assert.deepEqual((await send(server, 'GET /api/set-up')).body, { required: true });

    const body = {
      token,
      email: 'ada@example.com',
      name: 'Ada',
      password: 'the password of Ada',
      organization: 'Analytical Engines',
    };
    const forged = await send(server, 'POST /api/set-up', { body: { ...body, token: 'A'.repeat(43) } });
    assert.deepEqual([forged.status, forged.body.code], [404, 'link_not_valid']);
    const done = await send(server, 'POST /api/set-up', { body });
    assert.equal(done.status, 201, JSON.stringify(done.body));
    assert.deepEqual(done.body.user, { id: done.body.user.id, email: 'ada@example.com', name: 'Ada' });

    const ada = { url: server.url, cookie: cookieOf(done.headers) };
    const organizations = await send(ada, 'GET /api/organizations');
    const [{ id: organizationId, name, role }] = organizations.body.items;
    assert.deepEqual({ name, role }, { name: 'Analytical Engines', role: 'owner' });
    const dashboard = await send(ada, 'POST /api/dashboards', { body: { name: 'Sales', organizationId } });
    assert.equal(dashboard.status, 201);

    const again = await send(server, 'POST /api/set-up', { body: { ...body, email: 'eve@example.com' } });
    assert.deepEqual([again.status, again.body.code], [404, 'link_not_valid']);
    assert.deepEqual((await send(server, 'GET /api/set-up')).body, { required: false });

    assert.equal((await server.end('SIGTERM')).code, 0);
    const next = await startServerProcess(context, { environment });
    assert.equal(linkIn(next.output()), undefined);
    const read = await send({ ...ada, url: next.url }, `GET /api/dashboards/${dashboard.body.id}`);
    assert.deepEqual(read.body, dashboard.body);
  });

  test('prints another link at each start until one is used, and all of them are valid', async (context) => {
    const environment = await freshPlace(context, engine);
    const first = await startServerProcess(context, { environment });
    await first.end('SIGTERM');
    const second = await startServerProcess(context, { environment });
    const [firstToken, secondToken] = [linkIn(first.output()), linkIn(second.output())];
    assert.notEqual(firstToken, secondToken);
    const setUp = (token: string | undefined) =>
      send(second, 'POST /api/set-up', {
        body: {
          token,
          email: 'ada@example.com',
          name: 'Ada',
          password: 'the password of Ada',
          organization: 'A',
        },
      });
    // Both at once: one of them creates the owner, the other one is too late.
    const responses = await Promise.all([setUp(firstToken), setUp(secondToken)]);
    assert.deepEqual(responses.map(({ status }) => `${status}`).toSorted(), ['201', '404']);
  });

  test('creates the owner from the settings, and later settings do not change the owner', async (context) => {
    const place = await freshPlace(context, engine);
    const first = await startServerProcess(context, { environment: { ...place, ...ownerSettings } });
    assert.equal(linkIn(first.output()), undefined);
    const owner = await signInOwner(first);
    await first.end('SIGTERM');

    const others = {
      ATRIUM_OWNER_EMAIL: 'other@example.com',
      ATRIUM_OWNER_PASSWORD: 'another password',
      ATRIUM_ORGANIZATION: 'Other',
    };
    const second = await startServerProcess(context, { environment: { ...place, ...others } });
    assert.equal(linkIn(second.output()), undefined);
    const stranger = await send(second, 'POST /api/auth/sign-in/email', {
      body: { email: others.ATRIUM_OWNER_EMAIL, password: others.ATRIUM_OWNER_PASSWORD },
    });
    assert.equal(stranger.status, 401);
    const again = await signInOwner(second);
    assert.equal(again.organizationId, owner.organizationId);
    const { body } = await send(again, 'GET /api/organizations');
    assert.deepEqual(
      body.items.map((item: { name: string }) => item.name),
      [ownerSettings.ATRIUM_ORGANIZATION],
    );
    const { ATRIUM_OWNER_PASSWORD: password } = ownerSettings;
    const printed = [first, second].map((server) => server.output() + server.errorOutput()).join('');
    assert.ok(!printed.includes(password), 'the password is printed');
  });
});

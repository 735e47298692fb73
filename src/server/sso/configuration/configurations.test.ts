import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anId,
  at,
  secondsLater,
  derivedUrl,
  canary,
  least,
  allRows,
  openOffice,
} from '../../../../tests/support/sso/configuration.ts';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type TestResponse,
  type Person,
} from '../../../../tests/support/server/test-server.ts';

describeOnBothEngines('SSO configurations', (engine) => {
  test('a minimal body creates a configuration with a derived URL and no secret', async (context) => {
    const { put, get, organizationId } = await openOffice(await startTestServer(context, engine));
    const { status, headers, body } = await put(least);
    assert.match(body.id, anId);
    assert.deepEqual(
      { status, type: headers['content-type'], body },
      {
        status: 200,
        type: 'application/json; charset=utf-8',
        body: {
          id: body.id,
          organizationId,
          ...least,
          discoveryUrl: derivedUrl,
          hasSecret: false,
          createdAt: at,
          updatedAt: at,
        },
      },
    );
    const read = await get();
    assert.deepEqual({ status: read.status, body: read.body }, { status: 200, body });
  });

  test('a complete body is returned without its secret', async (context) => {
    const { put, get, organizationId } = await openOffice(await startTestServer(context, engine));
    const full = { ...least, tenantId: 'tenant', discoveryUrl: 'https://idp.example/openid', enabled: false };
    const { status, body } = await put({ ...full, clientSecret: canary });
    assert.deepEqual(
      { status, body },
      {
        status: 200,
        body: { id: body.id, organizationId, ...full, hasSecret: true, createdAt: at, updatedAt: at },
      },
    );
    assert.deepEqual((await get()).body, body);
  });

  test('an update returns 200, replaces the whole body, and preserves id and createdAt', async (context) => {
    const { server, put, get, organizationId } = await openOffice(await startTestServer(context, engine));
    const first = await put({ ...least, tenantId: 'tenant', discoveryUrl: 'https://idp.example/openid' });
    server.advance(5_000);
    const replacement = { ...least, clientId: 'other', emailDomains: ['b.example'], enabled: false };
    const { status, body } = await put(replacement);
    assert.deepEqual(
      { status, body },
      {
        status: 200,
        body: {
          id: first.body.id,
          organizationId,
          ...replacement,
          discoveryUrl: derivedUrl,
          hasSecret: false,
          createdAt: at,
          updatedAt: secondsLater,
        },
      },
    );
    assert.deepEqual((await get()).body, body);
    assert.equal((await server.database.all(allRows, {})).length, 1);
  });

  test('a deleted configuration is gone, and the next one has its id and no secret', async (context) => {
    const { server, put, get, remove } = await openOffice(await startTestServer(context, engine));
    const first = await put({ ...least, clientSecret: canary });
    const { status, text } = await remove();
    assert.deepEqual({ status, text }, { status: 204, text: '' });
    assert.deepEqual(problemOf(await get()), { status: 404, code: 'not_found' });
    assert.deepEqual(problemOf(await remove()), { status: 404, code: 'not_found' });
    assert.deepEqual(await server.database.all(allRows, {}), []);
    server.advance(5_000);
    const second = await put(least);
    assert.equal(second.body.id, first.body.id);
    const [row] = await server.database.all(allRows, {});
    assert.equal(row?.version, 2);
    assert.deepEqual(
      [second.body.createdAt, second.body.updatedAt, second.body.hasSecret],
      [at, secondsLater, false],
    );
  });

  test('responses are the same without a configuration, for an unknown and for another organization', async (context) => {
    const server = await startTestServer(context, engine);
    const [own, other] = [await openOffice(server), await openOffice(server)];
    await other.put(least);
    const responses = [await own.get(), await own.remove()];
    for (const id of [other.organizationId, crypto.randomUUID(), 'x', '%00', ' ', 'x'.repeat(400)]) {
      const path = `/api/sso/orgs/${encodeURIComponent(id)}/config`;
      responses.push(
        await server.call(`GET ${path}`, { as: own.ada }),
        await server.call(`DELETE ${path}`, { as: own.ada }),
        await server.call(`POST ${path}`, { as: own.ada, body: least }),
      );
    }
    const distinct = new Set(responses.map(({ text, body }) => text.replace(body.requestId, '')));
    assert.equal(distinct.size, 1, [...distinct].join('\n'));
    assert.equal(responses[0]?.status, 404);
    assert.equal((await other.get()).status, 200);
  });

  test('an owner and an admin configure it; an editor and a viewer neither write nor read', async (context) => {
    const { server, put, get, remove, organizationId } = await openOffice(
      await startTestServer(context, engine),
    );
    const statuses: Record<string, number[]> = {};
    for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) {
      await put(least);
      const person = await server.createMember(organizationId, role);
      statuses[role] = [await put(least, person), await get(person), await remove(person)].map(
        ({ status }) => status,
      );
    }
    assert.deepEqual(statuses, {
      owner: [200, 200, 204],
      admin: [200, 200, 204],
      editor: [403, 403, 403],
      viewer: [403, 403, 403],
    });
  });

  test('twenty simultaneous writes result in the configuration of one of them, with one id', async (context) => {
    const { server, put, get, remove } = await openOffice(await startTestServer(context, engine));
    // Creations first, then updates. Repeated, since the first writes open connections.
    for (const isCreation of [true, true, true, false]) {
      if (isCreation) await remove();
      const bodies = Array.from({ length: 20 }, (_, index) => ({
        ...least,
        clientId: `client ${index}`,
        tenantId: `tenant ${index}`,
        emailDomains: [`d${index}.example`],
      }));
      const responses = await Promise.all(bodies.map((body) => put(body)));
      assert.deepEqual(
        responses.map(({ status }) => status),
        bodies.map(() => 200),
      );
      assert.equal(new Set(responses.map(({ body }) => `${body.id} ${body.createdAt}`)).size, 1);
      const { body } = await get();
      const index = Number(body.clientId.split(' ')[1]);
      assert.deepEqual(body, responses[index]?.body);
      assert.equal((await server.database.all(allRows, {})).length, 1);
    }
  });

  test('simultaneous writes and deletions leave a complete configuration or none', async (context) => {
    const { server, put, remove, get } = await openOffice(await startTestServer(context, engine));
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? put({ ...least, clientSecret: canary }) : remove(),
      ),
    );
    const deleted = responses.filter((_, index) => index % 2 === 1).map(({ status }) => status);
    assert.deepEqual(
      responses.filter((_, index) => index % 2 === 0).map(({ status }) => status),
      Array(10).fill(200),
    );
    assert.ok(
      deleted.every((status) => status === 204 || status === 404),
      deleted.join(),
    );
    const { status, body } = await get();
    const ids = responses.flatMap(({ body }) => (body?.hasSecret ? [body.id] : []));
    assert.ok(status === 404 || ids.includes(body.id));
    assert.ok((await server.database.all(allRows, {})).length <= 1);
  });

  test('disabling, moving or deleting it ends the sessions obtained through it, and no others', async (context) => {
    const server = await startTestServer(context, engine);
    const [own, other] = [await openOffice(server), await openOffice(server)];
    const bob = await server.createMember(own.organizationId, 'viewer');
    await server.addMember(own.organizationId, other.ada, 'viewer');
    const before = { ...least, tenantId: 'tenant', clientSecret: canary };
    await other.put(before);
    const changes: [string, () => Promise<TestResponse>, boolean][] = [
      ['the same again', () => own.put(before), false],
      ['domains', () => own.put({ ...before, emailDomains: ['b.example'] }), false],
      ['secret', () => own.put({ ...before, clientSecret: 'new' }), false],
      ['secret removed', () => own.put({ ...before, clientSecret: '' }), false],
      ['a bad body', () => own.put({ ...before, enabled: 'false' }), false],
      ['disabled', () => own.put({ ...before, enabled: false }), true],
      ['client', () => own.put({ ...before, clientId: 'other' }), true],
      ['tenant', () => own.put({ ...before, tenantId: 'other' }), true],
      ['tenant left out', () => own.put({ ...before, tenantId: undefined }), true],
      ['URL', () => own.put({ ...before, discoveryUrl: 'https://idp.example' }), true],
      ['deleted', () => own.remove(), true],
    ];
    const ended = [];
    for (const [what, change] of changes) {
      await own.put(before);
      const through = [
        await server.createSsoSession(own.ada, own.organizationId),
        await server.createSsoSession(bob, own.organizationId),
        await server.createSsoSession(other.ada, own.organizationId),
      ];
      const others = [
        own.ada,
        bob,
        other.ada,
        await server.createSsoSession(other.ada, other.organizationId),
      ];
      await change();
      const statusOf = async (as: Person) => (await server.call('GET /api/auth/get-session', { as })).status;
      const statuses = new Set(await Promise.all(through.map(statusOf)));
      assert.deepEqual(await Promise.all(others.map(statusOf)), [200, 200, 200, 200], what);
      ended.push([what, [...statuses].join()]);
    }
    assert.deepEqual(
      ended,
      changes.map(([what, , ends]) => [what, ends ? '401' : '200']),
    );
  });

  test('a session obtained through it may manage it, which can end that session', async (context) => {
    const { server, ada, put, organizationId } = await openOffice(await startTestServer(context, engine));
    await put(least);
    const scoped = await server.createSsoSession(ada, organizationId);
    assert.equal((await put({ ...least, emailDomains: ['b.example'] }, scoped)).status, 200);
    assert.equal((await put({ ...least, enabled: false }, scoped)).status, 200);
    assert.deepEqual(problemOf(await put(least, scoped)), { status: 401, code: 'unauthenticated' });
  });
});

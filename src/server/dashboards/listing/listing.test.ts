import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Engine,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';
import { newId } from '../../base/ids.ts';
import { putShare } from '../../access/store.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { dashboardKind } from '../kind.ts';

const restrict = prepare((db, p: { id: string }) =>
  db.updateTable('dashboards').set({ restricted: 1 }).where('id', '=', p.id),
);

describeOnBothEngines('the listing of dashboards', (engine) => {
  test('includes a restricted dashboard only for its owner, admins and the members it is shared with, and pages past it', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const [admin, author, named, viewer] = [
      await server.createMember(organizationId, 'admin'),
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const open = await create(server, author, { name: 'Open', organizationId });
    const secret = await create(server, author, { name: 'Secret', organizationId });
    await create(server, author, { name: 'Open too', organizationId });
    await server.database.write(async (transaction) => {
      await transaction.run(restrict, { id: secret });
      const key = { kind: 'dashboard', id: secret, organizationId } as const;
      const grantee = { kind: 'user', id: named.id } as const;
      const given = { at: '2026-11-21T09:00:00.000Z', by: owner.id };
      await putShare(transaction, key, { grantee, access: 'view' }, given);
    });
    const all = ['Open', 'Open too', 'Secret'];
    for (const [person, names] of [
      [owner, all],
      [admin, all],
      [author, all],
      [named, all],
      [viewer, ['Open', 'Open too']],
    ] as const) {
      for (const query of ['', `organizationId=${organizationId}`]) {
        assert.deepEqual((await namesOf(server, person, query)).toSorted(), names);
        assert.deepEqual((await namesOf(server, person, `${query}&limit=1`)).toSorted(), names);
      }
    }
    assert.equal((await server.call(`GET /api/dashboards/${open}`, { as: viewer })).status, 200);
    assert.equal((await server.call(`GET /api/dashboards/${secret}`, { as: viewer })).status, 404);
  });

  test('sorts by name and by update, and its pages skip and repeat nothing while others are added', async (context) => {
    const { server, as, organizationId } = await startOffice(context, engine);
    const names = [
      'Zoo',
      'apple',
      'Äpfel',
      'Banana',
      'banana',
      'Éclair',
      'zoo 10',
      '10',
      'Straße',
      'strasse',
    ];
    const ids = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      server.advance(1000);
      const body = index % 2 === 0 ? { name } : { name, organizationId };
      ids.set(name, await create(server, as, body));
    }
    const sorted = [
      '10',
      'Äpfel',
      'apple',
      'Banana',
      'banana',
      'Éclair',
      'Straße',
      'strasse',
      'Zoo',
      'zoo 10',
    ];
    assert.deepEqual(await namesOf(server, as, 'sort=name'), sorted);
    assert.deepEqual(await namesOf(server, as, 'sort=name&limit=1&filter=own'), sorted);
    assert.deepEqual(await namesOf(server, as, `sort=name&limit=2&organizationId=${organizationId}`), [
      '10',
      'apple',
      'Banana',
      'Éclair',
      'strasse',
    ]);
    const headers = { 'if-match': '*' };
    server.advance(1000);
    const path = `/api/dashboards/${ids.get('Zoo')}`;
    await server.call(`PATCH ${path}`, { as, headers, body: { description: 'changed' } });
    const byUpdate = ['Zoo', ...names.slice(1).toReversed()];
    assert.deepEqual(await namesOf(server, as, 'sort=updated&limit=3'), byUpdate);
    const paged = await namesOf(server, as, 'sort=name&limit=3', async () => {
      await create(server, as, { name: 'aaa new' });
      await create(server, as, { name: 'zzz new', organizationId });
    });
    assert.deepEqual(
      paged.filter((name) => !name.endsWith('new')),
      sorted,
    );
  });

  test('finds the beginnings of words regardless of case and accents, including the latest changes', async (context) => {
    const { server, as, organizationId } = await startOffice(context, engine);
    const sales = await create(server, as, { name: 'Sales – Übersicht', description: 'naïve 2026-Q3' });
    const long = `Straßenverkehrsordnung ${'x'.repeat(300)}`;
    await create(server, as, { name: long, organizationId });
    for (const [query, names] of Object.entries({
      uber: ['Sales – Übersicht'],
      'SÁLES naiv': ['Sales – Übersicht'],
      'q3 2026': ['Sales – Übersicht'],
      'sales verkehr': [],
      strassenverkehrsord: [long],
      xxxxxxxxxxxxxxx: [long],
      ales: [],
      '"*': [],
      '* OR NOT ( : ) ^ NEAR': [],
      "'sales' & | ! <->": ['Sales – Übersicht'],
      '\\': [],
      '': [long, 'Sales – Übersicht'],
    })) {
      const q = `q=${encodeURIComponent(query)}`;
      for (const rest of ['', '&sort=name', '&sort=updated&limit=1']) {
        assert.deepEqual(
          new Set(await namesOf(server, as, `${q}${rest}`)),
          new Set(names),
          `${query}${rest}`,
        );
      }
    }
    const headers = { 'if-match': '*' };
    const path = `/api/dashboards/${sales}`;
    await server.call(`PATCH ${path}`, { as, headers, body: { name: 'Umsatz', description: null } });
    assert.deepEqual(await namesOf(server, as, 'q=sales'), []);
    assert.deepEqual(await namesOf(server, as, 'q=umsa'), ['Umsatz']);
    await server.call(`DELETE ${path}`, { as });
    assert.deepEqual(await namesOf(server, as, 'q=umsa'), []);
    assert.deepEqual(await namesOf(server, as, 'sort=name'), [long]);
    await server.call(`POST /api/trash/dashboards/${sales}/restore`, { as });
    assert.deepEqual(await namesOf(server, as, 'q=umsa'), ['Umsatz']);
    assert.deepEqual(await namesOf(server, as, 'sort=name'), [long, 'Umsatz']);
  });

  test('sorts the same 1,000 search results on each page while others are created', async (context) => {
    const { server, as } = await startOffice(context, engine);
    const names = Array.from({ length: 1000 }, (_, index) => `Found ${String(index).padStart(3, '0')}`);
    await server.database.write(async (transaction) => {
      for (const name of names) {
        const at = '2026-01-01T00:00:00.000Z';
        const record = { id: newId(), userId: as.id, name, createdAt: at, updatedAt: at, widgetsJson: '[]' };
        const version = { version: 1, updatedBy: as.id, change: 'created' as const };
        const unset = {
          organizationId: undefined,
          description: undefined,
          restoredFrom: undefined,
          saveHash: undefined,
        };
        await dashboardKind.insert(transaction, { ...record, ...version, ...unset });
      }
    });
    const found: string[] = [];
    const list = (after: string) =>
      server.call(`GET /api/dashboards?q=found&sort=name&limit=200${after}`, { as });
    // On a slow machine, the first request may return before everything is indexed.
    while ((await list('')).status === 503);
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await list(after);
      found.push(...body.items.map(({ name }: { name: string }) => name));
      cursor = body.nextCursor;
      await create(server, as, { name: 'Found too late' });
    }
    assert.deepEqual(found, names);
  });

  test('never finds dashboards that the reader may not see', async (context) => {
    const { server, as, organizationId } = await startOffice(context, engine);
    const eve = await server.createPerson('Eve');
    await server.createOrganization(eve);
    const viewer = await server.createMember(organizationId, 'viewer');
    const open = await create(server, as, { name: 'Findable', organizationId });
    const secret = await create(server, as, { name: 'Findable secret', organizationId });
    await create(server, as, { name: 'Findable own' });
    await server.database.write((transaction) => transaction.run(restrict, { id: secret }));
    const scoped = await server.createSsoSession(as, organizationId);
    for (const query of ['q=find', 'q=find&sort=name', 'sort=name', 'sort=updated', 'filter=own&sort=name']) {
      assert.deepEqual(await namesOf(server, eve, query), [], query);
      const seen = query.startsWith('filter=own') ? [] : ['Findable'];
      assert.deepEqual(await namesOf(server, viewer, query), seen, query);
      assert.deepEqual(
        (await namesOf(server, scoped, query)).toSorted(),
        ['Findable', 'Findable secret'],
        query,
      );
    }
    for (const id of [open, secret, crypto.randomUUID()]) {
      for (const call of ['PUT', 'DELETE'].map((method) => `${method} /api/dashboards/${id}/star`)) {
        assert.equal((await server.call(call, { as: eve })).status, 404);
      }
      assert.equal((await server.call(`PUT /api/dashboards/${id}/visit`, { as: eve })).status, 404);
    }
    assert.equal((await server.call(`PUT /api/dashboards/${secret}/star`, { as: viewer })).status, 404);
  });

  test('lists starred and visited dashboards as long as the reader may see them', async (context) => {
    const { server, as, organizationId } = await startOffice(context, engine);
    const viewer = await server.createMember(organizationId, 'viewer');
    const ids: string[] = [];
    for (const name of ['A one', 'B two', 'C three'])
      ids.push(await create(server, as, { name, organizationId }));
    const [first, second, third] = ids;
    for (const id of [second, first, first]) {
      assert.equal((await server.call(`PUT /api/dashboards/${id}/star`, { as: viewer })).status, 204);
    }
    for (const id of [first, third, second, third]) {
      server.advance(1000);
      assert.equal((await server.call(`PUT /api/dashboards/${id}/visit`, { as: viewer })).status, 204);
    }
    assert.deepEqual(await namesOf(server, viewer, 'filter=recent&limit=1'), ['C three', 'B two', 'A one']);
    assert.deepEqual((await namesOf(server, viewer, 'filter=starred&limit=1')).toSorted(), [
      'A one',
      'B two',
    ]);
    assert.deepEqual(await namesOf(server, viewer, 'filter=starred&sort=name'), ['A one', 'B two']);
    assert.deepEqual(await namesOf(server, viewer, 'filter=recent&q=thr'), ['C three']);
    assert.deepEqual(await namesOf(server, viewer, 'filter=starred&q=thr'), []);
    assert.deepEqual(await namesOf(server, as, 'filter=starred'), []);
    const { body } = await server.call('GET /api/dashboards?sort=name', { as: viewer });
    assert.deepEqual(
      body.items.map(({ isStarred }: { isStarred: boolean }) => isStarred),
      [true, true, false],
    );
    await server.database.write((transaction) => transaction.run(restrict, { id: first ?? '' }));
    assert.deepEqual(await namesOf(server, viewer, 'filter=starred'), ['B two']);
    await server.call(`DELETE /api/dashboards/${second}/star`, { as: viewer });
    assert.deepEqual(await namesOf(server, viewer, 'filter=starred'), []);
    assert.deepEqual(await namesOf(server, viewer, 'filter=recent'), ['C three', 'B two']);
  });

  test('lists only personal dashboards in the scope `personal`', async (context) => {
    const { server, as, organizationId } = await startOffice(context, engine);
    const eve = await server.createPerson('Eve');
    await create(server, eve, { name: 'Note of Eve' });
    await create(server, as, { name: 'Note of all', organizationId });
    const mine = await create(server, as, { name: 'Note' });
    await server.call(`PUT /api/dashboards/${mine}/star`, { as });
    const scoped = await server.createSsoSession(as, organizationId);
    for (const query of ['', 'sort=name', 'q=note', 'q=note&sort=name', 'filter=own', 'filter=starred']) {
      assert.deepEqual(await namesOf(server, as, `scope=personal&${query}`), ['Note'], query);
      assert.deepEqual(
        await namesOf(server, eve, `scope=personal&${query}`),
        query === 'filter=starred' ? [] : ['Note of Eve'],
        query,
      );
      assert.deepEqual(await namesOf(server, scoped, `scope=personal&${query}`), [], query);
    }
  });

  test('lists the last 200 visits', async (context) => {
    const { server, as } = await startOffice(context, engine);
    const ids: string[] = [];
    for (let index = 0; index < 202; index += 1) ids.push(await create(server, as, { name: `D${index}` }));
    for (const id of ids) {
      server.advance(1);
      await server.call(`PUT /api/dashboards/${id}/visit`, { as });
    }
    const { body } = await server.call('GET /api/dashboards?filter=recent&limit=200', { as });
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      ids.toReversed().slice(0, 200),
    );
    assert.equal(body.nextCursor, undefined);
  });

  test('rejects invalid combinations, values and cursors', async (context) => {
    const { server, as, organizationId } = await startOffice(context, engine);
    await create(server, as, { name: 'A' });
    await create(server, as, { name: 'B' });
    const { body } = await server.call('GET /api/dashboards?sort=name&limit=1', { as });
    const withNul = Buffer.from(`n${crypto.randomUUID()}\0`).toString('base64url');
    const queries = {
      'filter=recent&sort=name': '/sort combination',
      'filter=mine': '/filter enum',
      [`scope=personal&organizationId=${organizationId}`]: '/scope combination',
      'scope=all': '/scope enum',
      'sort=size': '/sort enum',
      [`q=${'x'.repeat(201)}`]: '/q maxLength',
      'q=%00': '/q text',
      [`cursor=${body.nextCursor}`]: '/cursor cursor',
      [`sort=updated&cursor=${body.nextCursor}`]: '/cursor cursor',
      [`q=a&cursor=${body.nextCursor}`]: '/cursor cursor',
      [`sort=name&filter=own&cursor=${body.nextCursor}`]: '/cursor cursor',
      [`sort=name&filter=starred&cursor=${body.nextCursor}`]: '/cursor cursor',
      [`sort=name&cursor=${withNul}`]: '/cursor cursor',
    };
    for (const [query, fault] of Object.entries(queries)) {
      const response = await server.call(`GET /api/dashboards?${query}`, { as });
      assert.deepEqual(
        problemOf(response),
        { status: 400, code: 'invalid_parameters', faults: [fault] },
        query,
      );
    }
  });
});

async function create(server: TestServer, as: Person, body: object): Promise<string> {
  const response = await server.call('POST /api/dashboards', { as, body });
  assert.equal(response.status, 201, response.text);
  return response.body.id;
}

/** Returns the names in all pages of a list; `between` runs before each page except the first. */
async function namesOf(
  server: TestServer,
  as: Person,
  query: string,
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    if (cursor !== '') await between();
    const rest: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await server.call(`GET /api/dashboards?${query}${rest}`, { as });
    assert.equal(response.status, 200, response.text);
    names.push(...response.body.items.map(({ name }: { name: string }) => name));
    cursor = names.length > 100 ? undefined : response.body.nextCursor;
  }
  return names;
}

async function startOffice(
  context: TestContext,
  engine: Engine,
): Promise<{ server: TestServer; as: Person; organizationId: string }> {
  const server = await startTestServer(context, engine);
  const as = await server.createPerson('Ada');
  return { server, as, organizationId: await server.createOrganization(as) };
}

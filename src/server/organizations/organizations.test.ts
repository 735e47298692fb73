import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roles } from '#shared/permissions.ts';
import {
  anId,
  at,
  secondsLater,
  touches,
  remove,
  invite,
  accept,
  pagesOf,
  inPages,
  notFound,
  forbidden,
} from '../../../tests/support/organizations/calls.ts';
import { makeOperator } from '../../../tests/support/organizations/operators.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';

const asCreated = {
  timeZone: 'UTC',
  weekStart: 'monday',
  locale: 'auto',
  currency: 'XXX',
  accentColor: '#3b59b4',
  chartColors: [],
} as const;

describeOnUsualEngine('organizations', (engine) => {
  test('the person who creates one owns it, and nobody else sees it', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    await makeOperator(server, ada);
    const name = ' <b>Äcme</b> \u{1F600} ';
    const create = (unknown: object) =>
      server.call('POST /api/organizations', { as: ada, body: { name, ...unknown } });
    const unknown = { id: 'mine', role: 'viewer', createdAt: 'x' };
    assert.deepEqual(problemOf(await create(unknown)).faults, [
      '/createdAt unknown',
      '/id unknown',
      '/role unknown',
    ]);
    const { status, body } = await create({});
    assert.match(body.id, anId);
    const organization = { id: body.id, name, ...asCreated, role: 'owner', createdAt: at, updatedAt: at };
    assert.deepEqual({ status, body }, { status: 201, body: organization });
    const read = await server.call(`GET /api/organizations/${body.id}`, { as: ada });
    assert.deepEqual({ status: read.status, body: read.body }, { status: 200, body: organization });
    assert.deepEqual((await server.call('GET /api/organizations', { as: ada })).body, {
      items: [organization],
    });
    assert.deepEqual((await server.call('GET /api/organizations', { as: eve })).body, { items: [] });
    assert.deepEqual(
      problemOf(await server.call(`GET /api/organizations/${body.id}`, { as: eve })),
      notFound,
    );
  });

  test('are created by operators, and by everyone if the setting allows it', async (context) => {
    const server = await startTestServer(context, engine);
    const [operator, other] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    await makeOperator(server, operator);
    const create = async (as: Person, on: TestServer = server) => {
      const account = await on.call('GET /api/auth/account', { as });
      const created = await on.call('POST /api/organizations', { as, body: { name: 'New' } });
      return [account.body.mayCreateOrganizations, created.status, created.body.detail];
    };
    assert.deepEqual(await create(operator), [true, 201, undefined]);
    assert.deepEqual(await create(other), [
      false,
      403,
      'Only operators of this server can create organizations. Ask an operator to create one and invite you.',
    ]);
    const scoped = await server.createSsoSession(operator, await server.createOrganization(operator));
    assert.deepEqual((await create(scoped)).slice(0, 2), [false, 403]);
    const open = await startTestServer(context, engine, { ATRIUM_ORGANIZATION_CREATION: 'everyone' });
    assert.deepEqual(await create(await open.createPerson('Eve'), open), [true, 201, undefined]);
  });

  test('a name has at least one character', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    for (const line of ['POST /api/organizations', `PATCH /api/organizations/${id}`]) {
      const faults = [];
      for (const body of [{ name: '' }, { name: null }, { name: ['x'] }]) {
        faults.push(problemOf(await server.call(line, { as: ada, body })).faults?.join());
      }
      assert.deepEqual(faults, ['/name minLength', '/name type', '/name type']);
    }
    const nameless = await server.call('POST /api/organizations', { as: ada, body: {} });
    assert.deepEqual(problemOf(nameless).faults, ['/name required']);
    assert.equal((await server.call('GET /api/organizations', { as: ada })).body.items.length, 1);
  });

  test('a change has at least one member, and only known values', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const faultsOf = async (body: object) =>
      problemOf(await server.call(`PATCH /api/organizations/${id}`, { as: ada, body })).faults?.join();
    assert.equal(await faultsOf({}), ' required');
    assert.equal(await faultsOf({ id: 'mine' }), '/id unknown');
    for (const timeZone of ['', 'Mars/Olympus', '+02:00', "UTC'"])
      assert.equal(await faultsOf({ timeZone }), '/timeZone time_zone');
    assert.equal(await faultsOf({ timeZone: 2 }), '/timeZone type');
    assert.equal(await faultsOf({ weekStart: 'friday' }), '/weekStart enum');
    for (const locale of ['', 'de', 'de-de', 'xx-XX'])
      assert.equal(await faultsOf({ locale }), '/locale enum');
    for (const currency of ['', 'eur', 'EURO', 'QQQ'])
      assert.equal(await faultsOf({ currency }), '/currency currency');
    for (const color of ['', 'red', '#FFF', '#3B59B4', '#3b59b4 ', 'url(x)']) {
      assert.equal(await faultsOf({ accentColor: color }), '/accentColor pattern');
      assert.equal(await faultsOf({ chartColors: ['#000000', color] }), '/chartColors/1 pattern');
    }
    assert.equal(await faultsOf({ chartColors: Array(13).fill('#000000') }), '/chartColors maxItems');
    assert.equal(
      await faultsOf({ timeZone: 'Mars', currency: 'Gold' }),
      '/currency currency,/timeZone time_zone',
    );
  });

  test('has a time zone, a week start, a locale and a currency, which owners and admins can change', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const change = async (body: object) => {
      const response = await server.call(`PATCH /api/organizations/${id}`, { as: ada, body });
      assert.equal(response.status, 200, response.text);
      const { name, timeZone, weekStart, locale, currency } = response.body;
      return [name, timeZone, weekStart, locale, currency].join();
    };
    const { name } = (await server.call(`GET /api/organizations/${id}`, { as: ada })).body;
    const india = { timeZone: 'Asia/Calcutta', locale: 'hi-IN' };
    assert.equal(await change(india), `${name},Asia/Calcutta,monday,hi-IN,XXX`);
    assert.equal(
      await change({ weekStart: 'saturday', currency: 'INR' }),
      `${name},Asia/Calcutta,saturday,hi-IN,INR`,
    );
    assert.equal(
      await change({ name: 'New', weekStart: 'sunday', currency: 'XXX' }),
      'New,Asia/Calcutta,sunday,hi-IN,XXX',
    );
    const audit = await server.call(`GET /api/organizations/${id}/audit`, { as: ada });
    const entries = (audit.body.items as { action: string; details: object }[]).slice(0, 4);
    assert.deepEqual(
      new Set(entries.map(({ action, details }) => ({ action, details }))),
      new Set([
        { action: 'organization.renamed', details: { name: 'New' } },
        {
          action: 'organization.calendar_changed',
          details: { ...india, weekStart: 'sunday', currency: 'XXX' },
        },
        {
          action: 'organization.calendar_changed',
          details: { ...india, weekStart: 'saturday', currency: 'INR' },
        },
        {
          action: 'organization.calendar_changed',
          details: { ...india, weekStart: 'monday', currency: 'XXX' },
        },
      ]),
    );
  });

  test('has an accent color and colors of charts, which are audited', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    const change = async (body: object) => {
      const response = await server.call(`PATCH /api/organizations/${id}`, { as: ada, body });
      return { accentColor: response.body.accentColor, chartColors: response.body.chartColors };
    };
    const chartColors = ['#aa0000', '#ffffff'];
    assert.deepEqual(await change({ chartColors }), { accentColor: '#3b59b4', chartColors });
    assert.deepEqual(await change({ accentColor: '#0a7d3c' }), { accentColor: '#0a7d3c', chartColors });
    assert.deepEqual(await change({ chartColors: [] }), { accentColor: '#0a7d3c', chartColors: [] });
    const audit = await server.call(`GET /api/organizations/${id}/audit?limit=1`, { as: ada });
    const [{ action, details }] = audit.body.items;
    assert.deepEqual(
      [action, details],
      ['organization.colors_changed', { accentColor: '#0a7d3c', chartColors: [] }],
    );
  });

  test('owners and admins can rename it, editors and viewers cannot', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const id = await server.createOrganization(ada);
    server.advance(5_000);
    for (const role of roles) {
      const as = await server.createMember(id, role);
      const response = await server.call(`PATCH /api/organizations/${id}`, {
        as,
        body: { name: `by ${role}` },
      });
      if (touches[role].length === 0) {
        assert.deepEqual(problemOf(response), forbidden);
        continue;
      }
      assert.deepEqual(
        { status: response.status, body: response.body },
        {
          status: 200,
          body: { id, name: `by ${role}`, ...asCreated, role, createdAt: at, updatedAt: secondsLater },
        },
      );
    }
    const { body } = await server.call(`GET /api/organizations/${id}`, { as: ada });
    assert.deepEqual(body, {
      id,
      name: 'by admin',
      ...asCreated,
      role: 'owner',
      createdAt: at,
      updatedAt: secondsLater,
    });
  });

  test('your organizations are listed page by page, in the order of their ids', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await server.createOrganization(ada));
      await server.createOrganization(eve);
    }
    const pages = await pagesOf(server, ada, '/api/organizations', 'id');
    assert.deepEqual(pages, inPages(ids));
    assert.deepEqual(await pagesOf(server, ada, '/api/organizations', 'role'), [
      ['owner', 'owner'],
      ['owner', 'owner'],
      ['owner'],
    ]);
  });

  test('a session that is limited to one organization sees only that one, and cannot create or join others', async (context) => {
    const server = await startTestServer(context, engine);
    const [ada, eve] = [await server.createPerson('Ada'), await server.createPerson('Eve')];
    const [one, other] = [await server.createOrganization(ada), await server.createOrganization(ada)];
    const foreign = await server.createOrganization(eve);
    const { token } = await invite(server, eve, foreign, ada.email);
    const scoped = await server.createSsoSession(ada, one);
    const { body } = await server.call('GET /api/organizations', { as: scoped });
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      [one],
    );
    for (const path of ['', '/members', '/invitations']) {
      assert.equal((await server.call(`GET /api/organizations/${one}${path}`, { as: scoped })).status, 200);
      const response = await server.call(`GET /api/organizations/${other}${path}`, { as: scoped });
      assert.deepEqual(problemOf(response), notFound);
    }
    const created = await server.call('POST /api/organizations', { as: scoped, body: { name: 'N' } });
    assert.deepEqual(problemOf(created), forbidden);
    assert.deepEqual(problemOf(await accept(server, scoped, token)), forbidden);
    assert.equal((await accept(server, ada, token)).status, 200, 'the invitation is still open');
    assert.deepEqual(problemOf(await remove(server, scoped, other, ada.id)), notFound);
  });
});

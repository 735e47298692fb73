import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '#contract/reports/reports.ts';
import { routes } from '#contract/routes.ts';
import { dashboardAudit } from '../../../../tests/support/dashboards/team.ts';
import { onePixel } from '../../../../tests/support/image-files.ts';
import { startNewsroom } from '../../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Engine,
  type Person,
} from '../../../../tests/support/server/test-server.ts';
import { disableAccount, enableAccount } from '../../accounts/disabled-accounts.ts';
import { hoursMs, timestamp } from '../../base/clock.ts';
import { prepare } from '../../storage/prepared-query.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const refused = { status: 404, code: 'link_not_valid' };

/** Starts a newsroom with a dashboard of two reports, one of which fails. */
async function startDisplays(context: Parameters<typeof startNewsroom>[0], engine: Engine) {
  const newsroom = await startNewsroom(context, engine);
  const { server, owner, organizationId, save } = newsroom;
  const sales = await save({
    name: 'Sales',
    query: 'SELECT region, sum(amount) AS secret_sum FROM sales WHERE region = {{region}} GROUP BY 1',
    parameters: [{ name: 'region', type: 'text', default: 'north' }],
  });
  const broken = await save({ name: 'Broken', query: 'SELECT secret_column FROM sales' });
  const { body: image } = await server.call(`POST /api/organizations/${organizationId}/images`, {
    as: owner,
    headers: { 'content-type': 'image/gif' },
    body: pixel('1'),
  });
  const { body: otherImage } = await server.call(`POST /api/organizations/${organizationId}/images`, {
    as: owner,
    headers: { 'content-type': 'image/gif' },
    body: pixel('2'),
  });
  const widgets = [
    { reportId: sales.id, layout },
    { reportId: broken.id, layout: { ...layout, x: 6 } },
    {
      reportId: 'builtin:image',
      layout: { ...layout, y: 4 },
      config: { image: image.id, imageId: otherImage.id },
    },
  ];
  const { body: dashboard } = await server.call('POST /api/dashboards', {
    as: owner,
    body: { name: 'Board', description: 'For us only', organizationId, widgets },
  });
  const links = `/api/dashboards/${dashboard.id}/display-links`;
  const create = async (as: Person = owner, body: object = { name: 'Lobby' }) => {
    const response = await server.call(`POST ${links}`, { as, body });
    assert.equal(response.status, 201, response.text);
    return response.body as { id: string; token: string };
  };
  const get = (token: string, path = '') =>
    server.call(`GET /api/display${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { ...newsroom, dashboard, links, create, get, image, otherImage };
}

const pixel = (color: '1' | '2'): string =>
  `GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000,\u0000\u0000\u0000\u0000\u0001\u0000\u0001\u0000\u0000;${color}`;

interface Line {
  readonly reportId?: string;
  readonly reportName: string;
  readonly problem?: object;
  readonly result?: { readonly rows: readonly unknown[][] };
}

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .toSorted((one, other) => (one.reportName < other.reportName ? -1 : 1));

describeOnUsualEngine('a wall display', (engine) => {
  test('shows one dashboard, the results of its reports with fixed filters, and its images', async (context) => {
    const { server, owner, organizationId, dashboard, links, create, get, image, otherImage } =
      await startDisplays(context, engine);
    await server.call(`PUT /api/organizations/${organizationId}/logo`, {
      as: owner,
      headers: { 'content-type': 'image/png' },
      body: onePixel,
    });
    const link = await create(owner, { name: 'Lobby', filters: 'region=south' });
    assert.match(link.token, /^atrium_display_[\w-]{43}$/);
    const { status, body, text, headers } = await get(link.token);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: dashboard.id,
      name: 'Board',
      version: 1,
      filters: 'region=south',
      organization: body.organization,
      widgets: [
        { id: dashboard.widgets[0].id, layout, config: {} },
        { id: dashboard.widgets[1].id, layout: { ...layout, x: 6 }, config: {} },
        {
          id: dashboard.widgets[2].id,
          builtIn: 'builtin:image',
          layout: { ...layout, y: 4 },
          config: { image: image.id, description: '', fit: 'whole' },
        },
      ],
    });
    assert.deepEqual(Object.keys(body.organization).toSorted(), [
      'accentColor',
      'chartColors',
      'currency',
      'locale',
      'logoId',
      'timeZone',
      'weekStart',
    ]);
    const reportIds = dashboard.widgets.map(({ reportId }: { reportId: string }) => reportId);
    for (const secret of [owner.id, owner.email, organizationId, 'For us only', ...reportIds.slice(0, 2)]) {
      assert.ok(!text.includes(secret), secret);
    }
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['set-cookie'], undefined);

    assert.equal((await get(link.token, '/results?region=north')).status, 400, 'the address sets no filter');
    for (const query of ['', `?widget-ids=${dashboard.widgets[0].id}`]) {
      const results = await get(link.token, `/results${query}`);
      assert.equal(results.status, 200);
      const lines = linesOf(results.text);
      assert.deepEqual(lines.at(-1)?.result?.rows, [['south', 70]]);
      assert.ok(!/SELECT|secret_column|FROM/.test(results.text), results.text);
      for (const id of reportIds) assert.ok(!results.text.includes(id), id);
      assert.equal(lines.length, query.startsWith('?widget') ? 1 : 2);
      if (lines.length === 2) {
        assert.deepEqual(lines[0]?.problem, {
          type: 'urn:atrium:problem:query_failed',
          title: 'The query failed',
          status: 422,
          detail: 'The query failed',
          code: 'query_failed',
        });
      }
    }
    const ofDashboard = await server.call(`GET /api/dashboards/${dashboard.id}/results?region=south`, {
      as: owner,
    });
    assert.deepEqual(
      linesOf((await get(link.token, '/results')).text).filter(({ result }) => result !== undefined),
      linesOf(ofDashboard.text)
        .filter(({ result }) => result !== undefined)
        .map(({ reportId: _reportId, ...line }) => line),
      'a line is that of the dashboard, without the ID of the report',
    );
    assert.equal((await get(link.token, `/images/${image.id}`)).headers['content-type'], 'image/gif');
    assert.equal((await get(link.token, `/images/${otherImage.id}`)).status, 404);
    assert.deepEqual((await server.call(`GET /api/logos/${body.organization.logoId}`)).bytes, onePixel);
    for (const id of ['builtin', dashboard.id, dashboard.widgets[0].id, '%2e%2e']) {
      assert.equal((await get(link.token, `/images/${id}`)).status, 404, id);
    }

    const { body: list } = await server.call(`GET ${links}`, { as: owner });
    assert.deepEqual(list.items, [
      {
        id: link.id,
        name: 'Lobby',
        filters: 'region=south',
        createdBy: owner.id,
        createdByName: list.items[0].createdByName,
        createdAt: timestamp(server.clock()),
        lastUsedAt: timestamp(server.clock()),
        withheld: [],
      },
    ]);
    const stored = await server.database.all(tokens, {});
    assert.ok(stored.every(({ hash }) => !link.token.includes(hash)));
    assert.ok(!server.log.some((line) => line.includes(link.token)), 'no token in the log');
    assert.equal((await server.call(`DELETE ${links}/${link.id}`, { as: owner })).status, 204);
    assert.equal((await server.call(`DELETE ${links}/${link.id}`, { as: owner })).status, 404);
    assert.deepEqual(problemOf(await get(link.token)), refused);
    assert.deepEqual(await dashboardAudit(server, owner, organizationId), [
      [
        'dashboard.display_link_revoked',
        owner.id,
        { dashboardId: dashboard.id, name: 'Board', linkId: link.id, link: 'Lobby' },
      ],
      [
        'dashboard.display_link_created',
        owner.id,
        { dashboardId: dashboard.id, name: 'Board', linkId: link.id, link: 'Lobby' },
      ],
    ]);
  });

  test('gets nothing from any operation that is not for displays', async (context) => {
    const { server, organizationId, dashboard, create } = await startDisplays(context, engine);
    const { token } = await create();
    const ids: Record<string, string> = {
      dashboardId: dashboard.id,
      orgId: organizationId,
      reportId: dashboard.widgets[0].reportId,
      widgetId: dashboard.widgets[0].id,
    };
    const allowed: string[] = [];
    for (const { id, method, path, access } of routes) {
      const line = `${method} ${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x')}`;
      const authorization = `Bearer ${token}`;
      if (access === 'public') {
        const [without, having] = [
          await server.call(line),
          await server.call(line, { headers: { authorization } }),
        ];
        assert.deepEqual([having.status, having.body?.code], [without.status, without.body?.code], line);
        continue;
      }
      const bare = token.slice('atrium_display_'.length);
      for (const headers of [
        { authorization },
        { cookie: `auth.session_token=${token}` },
        { cookie: `auth.session_token=${bare}` },
      ] satisfies Record<string, string>[]) {
        const { status, text } = await server.call(line, { headers });
        if (access === 'display' && 'authorization' in headers) {
          allowed.push(id);
          assert.ok(status === 200 || id === 'readDisplayedImage', text);
        } else assert.equal(status, access === 'display' ? 404 : 401, `${line}: ${text}`);
      }
    }
    assert.deepEqual(allowed, ['getDisplayedDashboard', 'getDisplayedResults', 'readDisplayedImage']);
  });

  test('stops when its link expires, and its creator leaves or is disabled', async (context) => {
    const { server, owner, organizationId, dashboard, links, create, get } = await startDisplays(
      context,
      engine,
    );
    const { database, clock } = server;
    const expiresAt = timestamp(clock() + hoursMs(1));
    const short = await create(owner, { name: 'Short', expiresAt });
    assert.equal((await get(short.token)).status, 200);
    const admin = await server.createMember(organizationId, 'admin');
    const { token } = await create(admin);
    assert.equal((await get(token)).status, 200);
    const both = async () => [
      problemOf(await get(token)),
      problemOf(await get(token, '/results')),
      problemOf(await get(token, `/images/${'a'.repeat(64)}`)),
    ];

    const member = `/api/organizations/${organizationId}/members/${admin.id}`;
    await disableAccount(database, clock, admin.id);
    assert.deepEqual(await both(), [refused, refused, refused], 'disabled');
    await enableAccount(database, clock, admin.id);
    assert.equal((await get(token)).status, 200);

    await server.call(`DELETE /api/dashboards/${dashboard.id}`, { as: owner });
    assert.deepEqual(await both(), [refused, refused, refused], 'in the trash');
    await server.call(`POST /api/trash/dashboards/${dashboard.id}/restore`, { as: owner });
    assert.equal((await get(token)).status, 200);

    assert.equal((await server.call(`DELETE ${member}`, { as: owner })).status, 204);
    assert.deepEqual(await both(), [refused, refused, refused], 'left');
    await server.addMember(organizationId, admin, 'admin');
    assert.deepEqual(problemOf(await get(token)), refused, 'a new membership revives nothing');
    assert.equal((await server.call(`GET ${links}`, { as: owner })).body.items.length, 1);

    server.advance(hoursMs(1));
    assert.deepEqual(problemOf(await get(short.token)), refused, 'expired');
  });

  test('has exactly the access of its creator to reports', async (context) => {
    const { server, owner, organizationId, dashboard, create, get } = await startDisplays(context, engine);
    const editor = await server.createMember(organizationId, 'editor');
    const transfer = `POST /api/dashboards/${dashboard.id}/transfer`;
    assert.equal((await server.call(transfer, { as: owner, body: { userId: editor.id } })).status, 200);
    const { token } = await create(editor);
    assert.match((await get(token, '/results')).text, /north/);
    const reportId = dashboard.widgets[0].reportId;
    const access = { restricted: true, members: [] };
    const restricted = await server.call(`PUT /api/reports/${reportId}/access`, { as: owner, body: access });
    assert.equal(restricted.status, 200, restricted.text);
    const lines = (await get(token, '/results')).text;
    assert.match(lines, /"code":"not_shown"/);
    assert.ok(!lines.includes('north') && !lines.includes('"Sales"'), lines);
  });

  test('gets the name of a report only if a widget shows it', async (context) => {
    const { server, owner, organizationId, get, save } = await startDisplays(context, engine);
    const visualization = { kind: 'table', title: 'Cuts' };
    const report = await save({ name: 'Layoffs', query: 'SELECT 1 AS n', visualization } as Partial<Report>);
    const { body: board } = await server.call('POST /api/dashboards', {
      as: owner,
      body: {
        name: 'Board',
        organizationId,
        widgets: [{ reportId: report.id, config: { title: 'People' } }],
      },
    });
    const links = `/api/dashboards/${board.id}/display-links`;
    const link = await server.call(`POST ${links}`, { as: owner, body: { name: 'Lobby' } });
    const titled = (await get(link.body.token, '/results')).text;
    assert.match(titled, /"rows":\[\[1\]\]/);
    assert.ok(!/Layoffs|Cuts/.test(titled), titled);
    const widgets = [...board.widgets, { reportId: report.id }];
    const saved = await server.call(`PUT /api/dashboards/${board.id}`, {
      as: owner,
      headers: { 'if-match': '*' },
      body: { name: 'Board', widgets },
    });
    assert.equal(saved.status, 200, saved.text);
    assert.match((await get(link.body.token, '/results')).text, /Layoffs.*Cuts/);
  });

  test('stops while its creator may not share the dashboard', async (context) => {
    const { server, owner, organizationId, create, get } = await startDisplays(context, engine);
    const admin = await server.createMember(organizationId, 'admin');
    const { token } = await create(admin);
    const become = (role: string) =>
      server.call(`PATCH /api/organizations/${organizationId}/members/${admin.id}`, {
        as: owner,
        body: { role },
      });
    for (const role of ['editor', 'viewer']) {
      assert.equal((await become(role)).status, 200);
      for (const path of ['', '/results', `/images/${'0'.repeat(64)}`])
        assert.deepEqual(problemOf(await get(token, path)), refused, `${role} ${path}`);
    }
    assert.equal((await become('admin')).status, 200);
    assert.equal((await get(token)).status, 200);
  });

  test('stops when the organization requires SSO, unless its creator signed in through SSO', async (context) => {
    const { server, owner, organizationId, create, get } = await startDisplays(context, engine);
    const byPassword = await create();
    const bySso = await create(await server.createSsoSession(owner, organizationId));
    await server.database.write((transaction) => transaction.run(turnOn, { id: organizationId }));
    assert.deepEqual(problemOf(await get(byPassword.token)), refused);
    assert.equal((await get(bySso.token)).status, 200);
  });

  test('limits failed tokens by address, but not displays that work', async (context) => {
    const { create, get } = await startDisplays(context, engine);
    const { token } = await create();
    for (let count = 0; count < 100; count += 1) {
      const wrong = ['', 'x', `${token}x`, token.slice(0, -1), `atrium_display_${'a'.repeat(43)}`];
      assert.deepEqual(problemOf(await get(wrong[count % wrong.length] ?? '')), refused);
    }
    assert.deepEqual(problemOf(await get('x')), { status: 429, code: 'too_many_attempts' });
    assert.equal((await get(token)).status, 200);
  });

  test('is created within limits, for dashboards of organizations', async (context) => {
    const { server, owner, links, create } = await startDisplays(context, engine);
    for (const body of [
      { name: '' },
      { name: 'L', expiresAt: timestamp(server.clock()) },
      { name: 'L', expiresAt: '2026-02-30T00:00:00Z' },
      { name: 'L', filters: 'region=%00' },
      { name: 'L', filters: 'x'.repeat(2_001) },
    ]) {
      const response = await server.call(`POST ${links}`, { as: owner, body });
      assert.deepEqual(
        [response.status, response.body.code],
        [400, 'invalid_body'],
        `${JSON.stringify(body)}: ${response.text}`,
      );
    }
    const { body: own } = await server.call('POST /api/dashboards', { as: owner, body: { name: 'Own' } });
    const ofOwn = await server.call(`POST /api/dashboards/${own.id}/display-links`, {
      as: owner,
      body: { name: 'Lobby' },
    });
    assert.deepEqual(problemOf(ofOwn), { status: 409, code: 'personal_dashboard' });
    const created = await Promise.all(
      Array.from({ length: 25 }, () => server.call(`POST ${links}`, { as: owner, body: { name: 'Lobby' } })),
    );
    assert.equal(created.filter(({ status }) => status === 201).length, 20);
    await assert.rejects(create());
  });
});

const tokens = prepare((db) => db.selectFrom('display_links').select('token_hash as hash'));

const turnOn = prepare((db, p: { id: string }) =>
  db.updateTable('organizations').set({ require_sso: 1 }).where('id', '=', p.id),
);

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNewsroom } from '../../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  type Engine,
  type Person,
} from '../../../../tests/support/server/test-server.ts';
import { disableAccount, enableAccount } from '../../accounts/disabled-accounts.ts';
import { prepare } from '../../storage/prepared-query.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const requireSso = prepare((db, p: { required: number }) =>
  db.updateTable('organizations').set({ require_sso: p.required }),
);

/** Starts a newsroom with a restricted report, an editor who may not see it, and a board of theirs with the display of the owner. */
async function startBoard(context: Parameters<typeof startNewsroom>[0], engine: Engine) {
  const newsroom = await startNewsroom(context, engine);
  const { server, owner, organizationId, save } = newsroom;
  const editor = await server.createMember(organizationId, 'editor');
  const secret = await save({ name: 'Salaries', query: "SELECT 'secret_row' AS row" });
  const open = await save({
    name: 'Sales',
    query: 'SELECT sum(amount) AS n FROM sales WHERE region = {{region}}',
    parameters: [{ name: 'region', type: 'text', default: 'north' }],
  });
  const restrict = (members: object[] = [], reportId = secret.id) =>
    server.call(`PUT /api/reports/${reportId}/access`, {
      as: owner,
      body: { restricted: true, members },
    });
  assert.equal((await restrict()).status, 200);
  const create = async (as: Person, widgets: object[]) =>
    (await server.call('POST /api/dashboards', { as, body: { name: 'Board', organizationId, widgets } }))
      .body as { id: string; widgets: { id: string; reportId: string }[] };
  const put = async (as: Person, id: string, widgets: object[], version?: number) => {
    const { headers } = await server.call(`GET /api/dashboards/${id}`, { as });
    const etag = version === undefined ? String(headers['etag']) : `"${version}"`;
    const response = await server.call(`PUT /api/dashboards/${id}`, {
      as,
      headers: { 'if-match': etag },
      body: { name: 'Board', widgets },
    });
    assert.equal(response.status, 200, response.text);
    return response.body as { widgets: { id: string; reportId: string; config: object }[] };
  };
  /** Returns the codes and rows that a display of the owner shows, by the ID of the widget. */
  const shownBy = async (dashboardId: string, as: Person = owner, filters = '') => {
    const { body } = await server.call(`POST /api/dashboards/${dashboardId}/display-links`, {
      as,
      body: { name: 'Lobby', filters },
    });
    const headers = { authorization: `Bearer ${body.token}` };
    const { text } = await server.call('GET /api/display/results', { headers });
    const lines = text.trim() === '' ? [] : text.trim().split('\n');
    const found = lines.flatMap((line) => {
      const { widgetIds, result, problem } = JSON.parse(line) as {
        widgetIds: string[];
        result?: { rows: unknown[][] };
        problem?: { code: string };
      };
      return widgetIds.map((id) => [id, result?.rows[0]?.[0] ?? problem?.code] as const);
    });
    await server.call(`DELETE /api/dashboards/${dashboardId}/display-links/${body.id}`, { as });
    return { byWidget: Object.fromEntries(found), withheld: body.withheld as object[], text };
  };
  return { ...newsroom, editor, secret, open, restrict, create, put, shownBy };
}

describeOnUsualEngine('a report on a wall display', (engine) => {
  test('is shown only if everyone who last added or changed its widget may see it now', async (context) => {
    const { server, owner, organizationId, editor, secret, open, restrict, create, put, shownBy } =
      await startBoard(context, engine);
    const { id, widgets } = await create(owner, [{ reportId: open.id, layout }]);
    const ownId = widgets[0]?.id ?? '';

    // The editor adds the report that they may not see to the dashboard of the owner.
    const added = await put(editor, id, [
      ...widgets,
      { reportId: secret.id, layout: { ...layout, x: 6 }, config: { title: 'Pay' } },
    ]);
    const secretId = added.widgets[1]?.id ?? '';
    const attack = await shownBy(id);
    assert.deepEqual(attack.byWidget, { [ownId]: 30.5, [secretId]: 'not_shown' });
    assert.deepEqual(attack.withheld, [{ widgetId: secretId, reason: 'editor' }]);
    for (const hidden of [secret.id, 'Salaries', 'Pay', 'secret_row'])
      assert.ok(!attack.text.includes(hidden));

    // Moving it doesn't put it there; changing it does.
    const moved = added.widgets.map((widget) => ({ ...widget, layout: { ...layout, y: 9, x: 6 } }));
    await put(owner, id, moved);
    assert.equal((await shownBy(id)).byWidget[secretId], 'not_shown');
    const renamed = await put(owner, id, [moved[0] ?? {}, { ...moved[1], config: { title: 'Wages' } }]);
    assert.equal((await shownBy(id)).byWidget[secretId], 'secret_row');
    const [first, second] = renamed.widgets;
    await put(editor, id, [first ?? {}, { ...second, layout, config: { title: 'Wages', parent: 'x' } }]);
    assert.equal((await shownBy(id)).byWidget[secretId], 'secret_row', 'moved by the editor');
    await put(editor, id, [first ?? {}, { ...second, config: { title: 'Other' } }]);
    assert.equal((await shownBy(id)).byWidget[secretId], 'not_shown', 'changed by the editor');

    // The person who restores a version puts its content there.
    const restore = async (as: Person, version: number) =>
      server.call(`POST /api/dashboards/${id}/versions/${version}/restore`, {
        as,
        headers: { 'if-match': '*' },
      });
    assert.equal((await restore(owner, 4)).status, 200);
    assert.equal((await shownBy(id)).byWidget[secretId], 'secret_row', 'restored by the owner');

    // A copy has the editors of the original, besides the person who copied it.
    await put(editor, id, [first ?? {}, { ...second, config: { title: 'Other' } }]);
    const copy = await server.call(`POST /api/dashboards/${id}/duplicate`, { as: owner, body: {} });
    const copiedId = copy.body.widgets[1].id as string;
    assert.equal((await shownBy(copy.body.id)).byWidget[copiedId], 'not_shown', 'copied');

    // What counts is the access at this moment.
    await restrict([{ userId: editor.id, access: 'view' }]);
    const codes = async () => (await shownBy(id)).byWidget[secretId];
    assert.equal(await codes(), 'secret_row', 'shared with the editor');
    await disableAccount(server.database, server.clock, editor.id);
    assert.equal(await codes(), 'not_shown', 'disabled');
    await enableAccount(server.database, server.clock, editor.id);
    assert.equal(await codes(), 'secret_row');
    const member = `/api/organizations/${organizationId}/members/${editor.id}`;
    assert.equal((await server.call(`DELETE ${member}`, { as: owner })).status, 204);
    assert.equal(await codes(), 'not_shown', 'left');
    await server.addMember(organizationId, editor, 'editor');
    assert.equal(await codes(), 'not_shown', 'a new membership revives no share');
    await restrict([{ userId: editor.id, access: 'view' }]);
    const { token } = (
      await server.call(`POST /api/dashboards/${id}/display-links`, { as: owner, body: { name: 'Hall' } })
    ).body;
    const lines = async () =>
      (await server.call('GET /api/display/results', { headers: { authorization: `Bearer ${token}` } })).text;
    assert.match(await lines(), /secret_row/);
    await server.database.write((transaction) => transaction.run(requireSso, { required: 1 }));
    assert.ok(!(await lines()).includes('secret_row'), 'the link was made without the directory');
  });

  test('is not shown with filters of someone who may not see it', async (context) => {
    const { owner, editor, open, restrict, create, put, shownBy } = await startBoard(context, engine);
    await restrict([], open.id);
    const { id, widgets } = await create(owner, [{ reportId: open.id, layout }]);
    const widgetId = widgets[0]?.id ?? '';
    const filters = (preset: string) => ({
      reportId: 'builtin:filters',
      config: { filters: [{ name: 'region', kind: 'select', default: preset }] },
    });
    assert.equal((await shownBy(id)).byWidget[widgetId], 30.5);
    const { widgets: saved } = await put(editor, id, [...widgets, filters('south')]);
    const { byWidget, withheld } = await shownBy(id);
    assert.equal(byWidget[widgetId], 'not_shown');
    assert.deepEqual(withheld, [{ widgetId, reason: 'editor' }]);
    await put(owner, id, [
      saved[0] ?? {},
      { ...saved[1], ...filters('south'), config: { ...filters('south').config, x: 1 } },
    ]);
    assert.equal((await shownBy(id)).byWidget[widgetId], 70);
  });

  test('is not shown without filters that someone removed who may not see it', async (context) => {
    const { owner, editor, secret, open, restrict, create, put, shownBy } = await startBoard(context, engine);
    await restrict([], open.id);
    const filters = (...names: string[]) => ({
      reportId: 'builtin:filters',
      config: { filters: names.map((name) => ({ name, kind: 'select', default: 'south' })) },
    });
    const unaffected = { reportId: secret.id, layout, config: { filters: { region: null, other: null } } };
    const { id, widgets } = await create(owner, [
      { reportId: open.id, layout },
      unaffected,
      filters('region', 'other'),
    ]);
    const [shown, unfiltered] = widgets.map((widget) => widget.id);
    const [widgetId = '', unaffectedId = ''] = [shown, unfiltered];
    const codes = async () => {
      const { byWidget } = await shownBy(id);
      return [byWidget[widgetId], byWidget[unaffectedId]];
    };
    assert.deepEqual(await codes(), [70, 'secret_row']);
    const of = (saved: object[], ...names: string[]) => [
      ...saved.slice(0, 2),
      ...saved.slice(2, 3).map((widget) => ({ ...widget, ...filters(...names) })),
    ];
    // Renamed, or removed with the widget that has it: otherwise, the display would show the rows that the filter left out.
    for (const removed of [of(widgets, 'area', 'other'), widgets.slice(0, 2)]) {
      const saved = await put(editor, id, removed);
      assert.deepEqual(await codes(), ['not_shown', 'secret_row']);
      const [first = {}, ...others] = saved.widgets;
      await put(owner, id, [{ ...first, config: { title: 'Seen' } }, ...others]);
      assert.deepEqual(await codes(), [30.5, 'secret_row'], 'the owner has looked at it since');
      await put(owner, id, [...widgets.slice(0, 2), filters('region', 'other')]);
      assert.deepEqual(await codes(), [70, 'secret_row']);
    }
  });

  test('is not shown if a filter of someone who may not see it keeps another value from its parameter', async (context) => {
    const { owner, editor, open, restrict, create, put, shownBy } = await startBoard(context, engine);
    await restrict([], open.id);
    const { id, widgets } = await create(owner, [{ reportId: open.id, layout }]);
    const [{ id: widgetId } = { id: '' }] = widgets;
    const show = async () => (await shownBy(id, owner, 'region=south')).byWidget[widgetId];
    assert.equal(await show(), 70);
    // A range sets `region_from` and `region_to`, and no other filter sets the parameter with its own name.
    const range = {
      reportId: 'builtin:filters',
      config: { filters: [{ name: 'region', kind: 'date_range' }] },
    };
    await put(editor, id, [...widgets, range]);
    assert.equal(await show(), 'not_shown');
    await put(owner, id, widgets);
    assert.equal(await show(), 70);
    // The first of two filters with the same name applies.
    const own = { reportId: 'builtin:filters', config: { filters: [{ name: 'region', kind: 'select' }] } };
    const saved = await put(owner, id, [...widgets, own]);
    assert.equal(await show(), 70);
    await put(editor, id, [range, ...saved.widgets]);
    assert.equal(await show(), 'not_shown');
  });

  test('is not shown if a merge or a proposal smuggled it in', async (context) => {
    const { server, owner, organizationId, editor, secret, open, create, put, shownBy } = await startBoard(
      context,
      engine,
    );
    const { id, widgets } = await create(owner, [{ reportId: open.id, layout }]);
    const widgetId = widgets[0]?.id ?? '';
    await put(editor, id, [{ id: widgetId, reportId: secret.id, layout }]);
    // The owner has not seen which report the widget shows now.
    await put(owner, id, [{ ...widgets[0], config: { title: 'Our sales' } }], 1);
    assert.equal((await shownBy(id)).byWidget[widgetId], 'not_shown');

    const proposals = `/api/organizations/${organizationId}/proposals`;
    const proposed = await server.call(`POST ${proposals}`, {
      as: editor,
      body: { summary: 'Pay', dashboard: { name: 'Pay', widgets: [{ reportId: secret.id, layout }] } },
    });
    assert.equal(proposed.status, 201, proposed.text);
    const accepted = await server.call(`POST ${proposals}/${proposed.body.id}/accept`, { as: owner });
    assert.equal(accepted.status, 200, accepted.text);
    const shown = await shownBy(accepted.body.recordId);
    assert.deepEqual(Object.values(shown.byWidget), ['not_shown']);
  });
});

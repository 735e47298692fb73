import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEditing } from '../../../../tests/support/dashboards/editor.ts';
import { dashboardAudit, share } from '../../../../tests/support/dashboards/team.ts';
import { startNewsroom } from '../../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Engine,
  type Person,
  type TestResponse,
} from '../../../../tests/support/server/test-server.ts';
import { finishAfterResponses } from '../../http/response/after-response.ts';
import { prepare } from '../../storage/prepared-query.ts';

const at = '2026-11-21T09:00:00.000Z';

async function startCommenting(context: Parameters<typeof startEditing>[0], engine: Engine) {
  const editor = await startEditing(context, engine);
  const { server, path, created } = editor;
  const viewer = await server.createMember(created.organizationId, 'viewer');
  const write = (as: Person, body: object): Promise<TestResponse> =>
    server.call(`POST ${path}/comments`, { as, body });
  const written = async (as: Person, body: object) => {
    const response = await write(as, body);
    assert.equal(response.status, 201, response.text);
    return response.body;
  };
  const list = async (as: Person, query = '') => {
    const response = await server.call(`GET ${path}/comments${query}`, { as });
    assert.equal(response.status, 200, response.text);
    return response.body;
  };
  const change = (as: Person, id: string, body: object) =>
    server.call(`PATCH ${path}/comments/${id}`, { as, body });
  const remove = (as: Person, id: string) => server.call(`DELETE ${path}/comments/${id}`, { as });
  return { ...editor, viewer, write, written, list, change, remove };
}

/** Returns the texts of the threads of a list. */
const textsOf = ({ items }: { items: { comments: { text: string }[] }[] }): string[][] =>
  items.map(({ comments }) => comments.map(({ text }) => text));

const setRequireSso = prepare((db, p: { required: number }) =>
  db.updateTable('organizations').set({ require_sso: p.required }),
);

describeOnUsualEngine('comments', (engine) => {
  test('are about a dashboard, a widget or a value, and have replies and mentions', async (context) => {
    const { ada, bob, viewer, created, written, list } = await startCommenting(context, engine);
    const [widget] = created.widgets;
    const first = await written(viewer, { text: '  Well done\n<b>all</b>  ' });
    assert.deepEqual(first, {
      id: first.id,
      version: 1,
      comments: [
        {
          id: first.id,
          userId: viewer.id,
          userName: 'viewer',
          text: 'Well done\n<b>all</b>',
          mentions: [],
          createdAt: at,
        },
      ],
    });
    const mark = { values: { month: 'May', revenue: 12.5, isLate: false, region: null }, text: 'May: 12.5' };
    const value = await written(bob, { text: 'Why?', widgetId: widget.id, mark, mentions: [ada.id, ada.id] });
    assert.equal(value.mark, undefined, 'the widget shows no report');
    assert.deepEqual(value.comments[0].mentions, [{ userId: ada.id, name: 'Ada' }]);
    const replied = await written(ada, { text: 'A refund', threadId: value.id });
    assert.deepEqual(await list(viewer), { items: [replied, first] });
    assert.deepEqual(textsOf({ items: [replied] }), [['Why?', 'A refund']]);
    assert.deepEqual(await list(viewer, `?comment-id=${replied.comments[1].id}`), { items: [replied] });
    assert.deepEqual(await list(viewer, '?comment-id=unknown'), { items: [] });
  });

  test('are listed in pages, the newest thread first, by whether they are resolved', async (context) => {
    const { bob, viewer, written, list, change } = await startCommenting(context, engine);
    const ids: string[] = [];
    for (const text of ['1', '2', '3']) ids.push((await written(viewer, { text })).id);
    const page = await list(bob, '?limit=2');
    assert.deepEqual(textsOf(page), [['3'], ['2']]);
    const last = await list(bob, `?limit=2&cursor=${page.nextCursor}`);
    assert.deepEqual([textsOf(last), last.nextCursor], [[['1']], undefined]);
    const resolved = await change(viewer, ids[1] ?? '', { resolved: true });
    assert.deepEqual([resolved.body.resolvedAt, resolved.body.resolvedByName], [at, 'viewer']);
    assert.deepEqual(textsOf(await list(bob, '?state=open')), [['3'], ['1']]);
    assert.deepEqual(textsOf(await list(bob, '?state=resolved')), [['2']]);
    assert.equal((await change(bob, ids[1] ?? '', { resolved: false })).body.resolvedAt, undefined);
    assert.deepEqual(textsOf(await list(bob, '?state=resolved')), []);
  });

  test('are edited by their author only', async (context) => {
    const { server, ada, bob, viewer, written, change, list } = await startCommenting(context, engine);
    const { id } = await written(viewer, { text: 'Teh total', mentions: [ada.id] });
    assert.deepEqual(problemOf(await change(ada, id, { text: 'Mine' })), { status: 403, code: 'forbidden' });
    server.advance(60_000);
    const { body } = await change(viewer, id, { text: 'The total', mentions: [bob.id] });
    assert.deepEqual(body.comments, [
      {
        id,
        userId: viewer.id,
        userName: 'viewer',
        text: 'The total',
        mentions: [{ userId: bob.id, name: 'editor' }],
        createdAt: at,
        editedAt: '2026-11-21T09:01:00.000Z',
      },
    ]);
    assert.deepEqual(problemOf(await change(viewer, id, { text: ' \n' })), {
      status: 400,
      code: 'invalid_body',
      faults: ['/text minLength'],
    });
    assert.deepEqual(textsOf(await list(ada)), [['The total']]);
  });

  test('are deleted by their author and by editors, and recorded if they are another’s', async (context) => {
    const { server, ada, bob, viewer, created, written, remove, list } = await startCommenting(
      context,
      engine,
    );
    const first = await written(bob, { text: 'First', mentions: [ada.id] });
    const reply = await written(viewer, { text: 'Reply', threadId: first.id });
    assert.deepEqual(problemOf(await remove(viewer, first.id)), { status: 403, code: 'forbidden' });
    assert.equal((await remove(bob, first.id)).status, 204);
    const [thread] = (await list(ada)).items;
    assert.deepEqual(
      [thread.comments[0].text, thread.comments[0].mentions, thread.comments[0].deletedAt],
      ['', [], at],
    );
    assert.equal((await remove(bob, first.id)).status, 404);
    assert.equal((await remove(ada, reply.comments[1].id)).status, 204);
    assert.deepEqual(await list(ada), { items: [] });
    const [[action, actorId, details] = []] = await dashboardAudit(server, ada, created.organizationId);
    assert.deepEqual(
      [action, actorId, details],
      [
        'dashboard.comment_deleted',
        ada.id,
        { dashboardId: created.id, name: 'Sales', commentId: reply.comments[1].id, userId: viewer.id },
      ],
    );
  });

  test('refuse other widgets, other threads, and people who may not view the dashboard', async (context) => {
    const { server, ada, bob, viewer, created, write, written } = await startCommenting(context, engine);
    const stranger = await server.createPerson('Stranger');
    const other = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'Other', organizationId: created.organizationId, widgets: [{ reportId: 'r' }] },
    });
    const elsewhere = await server.call(`POST /api/dashboards/${other.body.id}/comments`, {
      as: ada,
      body: { text: 'Elsewhere' },
    });
    const faultsOf = async (body: object) => {
      const response = await write(bob, { text: 'Hello', ...body });
      assert.equal(response.status, 400, response.text);
      return response.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    assert.deepEqual(await faultsOf({ widgetId: other.body.widgets[0].id }), ['/widgetId']);
    assert.deepEqual(await faultsOf({ threadId: elsewhere.body.id }), ['/threadId']);
    assert.deepEqual(await faultsOf({ mark: { values: {}, text: '1' } }), ['/mark']);
    const large = { values: { a: 'x'.repeat(5_000) }, text: '1' };
    assert.deepEqual(await faultsOf({ widgetId: created.widgets[0].id, mark: large }), ['/mark']);

    // The fault doesn't reveal whether a person exists.
    await share(server, ada, created.id, {
      restricted: true,
      members: [{ userId: bob.id, access: 'view' }],
    });
    const mention = (userId: string) => write(ada, { text: 'Hi', mentions: [userId] });
    const [hidden, foreign, unknown] = [
      await mention(viewer.id),
      await mention(stranger.id),
      await mention('nobody'),
    ];
    assert.deepEqual(hidden.body.errors, unknown.body.errors);
    assert.deepEqual(foreign.body.errors, unknown.body.errors);
    const people = await server.call(`GET /api/dashboards/${created.id}/mentionable`, { as: bob });
    assert.deepEqual(people.body.items, [
      { userId: ada.id, name: 'Ada' },
      { userId: bob.id, name: 'editor' },
    ]);
    const found = await server.call(`GET /api/dashboards/${created.id}/mentionable?q=AD`, { as: bob });
    assert.deepEqual(found.body.items, [{ userId: ada.id, name: 'Ada' }]);

    const { id } = await written(ada, { text: 'Secret' });
    for (const line of [
      `GET /api/dashboards/${created.id}/comments`,
      `POST /api/dashboards/${created.id}/comments`,
      `PATCH /api/dashboards/${created.id}/comments/${id}`,
      `DELETE /api/dashboards/${created.id}/comments/${id}`,
      `GET /api/dashboards/${created.id}/mentionable`,
      // Known to be on another dashboard.
      `DELETE /api/dashboards/${other.body.id}/comments/${id}`,
    ]) {
      const body = line.startsWith('P') ? { body: { text: 'x' } } : {};
      assert.equal((await server.call(line, { as: viewer, ...body })).status, 404, line);
    }
  });

  test('are limited for each person', async (context) => {
    const { ada, bob, write } = await startCommenting(context, engine);
    for (let index = 0; index < 60; index += 1) assert.equal((await write(bob, { text: 'x' })).status, 201);
    const refused = await write(bob, { text: 'x' });
    assert.deepEqual(problemOf(refused), { status: 429, code: 'too_many_attempts' });
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal((await write(ada, { text: 'x' })).status, 201);
  });

  test('stay when a widget is removed, in the trash and after their author has left, and end with the dashboard', async (context) => {
    const { server, ada, bob, path, created, put, written, list } = await startCommenting(context, engine);
    const widgetId = created.widgets[0].id;
    const { id } = await written(bob, { text: 'About it', widgetId });
    await put(ada, 1, { ...created, widgets: [] });
    await server.call(`DELETE /api/organizations/${created.organizationId}/members/${bob.id}`, { as: ada });
    await server.call(`DELETE ${path}`, { as: ada });
    assert.equal((await server.call(`GET ${path}/comments`, { as: ada })).status, 404);
    await server.call(`POST /api/trash/dashboards/${created.id}/restore`, { as: ada });
    const [thread] = (await list(ada)).items;
    assert.deepEqual(
      [thread.id, thread.widgetId, thread.version, thread.comments[0].userName],
      [id, widgetId, 1, 'editor'],
    );
    await server.call(`DELETE ${path}`, { as: ada });
    const purged = await server.call(`DELETE /api/trash/dashboards/${created.id}`, { as: ada });
    assert.equal(purged.status, 204, purged.text);
  });

  test('are mailed to those mentioned and to the thread, without what could forge the email', async (context) => {
    const { server, ada, bob, viewer, created, put, written, change } = await startCommenting(
      context,
      engine,
    );
    server.mailServer.state = 'accepts';
    const name = 'Sales\r\nBcc: all@example.org\u202e';
    assert.equal((await put(ada, 1, { ...created, name })).status, 200);
    const text = 'Look:\n\nYour account is disabled. https://evil.example';
    const first = await written(bob, { text, mentions: [ada.id] });
    const mails = async () => {
      await finishAfterResponses(server.app.server);
      return server.mails.splice(0);
    };
    assert.deepEqual(await mails(), [
      {
        to: ada.email,
        subject: 'There is a new comment for you on Atrium',
        text:
          'editor mentioned you in a comment on Sales Bcc: all example org:\n\n> Look:\n> \n> Your account is disabled. ' +
          `https   evil example\n\nRead and reply:\nhttp://localhost:3000/dashboards/${created.id}?comment-id=${first.id}\n\n` +
          'You can turn these emails off in your account:\nhttp://localhost:3000/account\n',
      },
    ]);

    const reply = await written(viewer, { text: 'Yes', threadId: first.id });
    const addresses = (await mails()).map(({ to }) => to);
    assert.deepEqual(addresses.toSorted(), [ada.email, bob.email].toSorted());

    // Nobody can turn off the emails of others, and nobody who turned them off gets any.
    const account = await server.call('POST /api/auth/update-user', {
      as: await server.createSsoSession(ada, created.organizationId),
      body: { commentMails: false },
    });
    assert.equal(account.status, 200, account.text);
    assert.equal((await server.call('GET /api/auth/account', { as: ada })).body.commentMails, false);
    await written(bob, { text: 'Still', threadId: first.id, mentions: [ada.id] });
    assert.deepEqual(
      (await mails()).map(({ to }) => to),
      [viewer.email],
    );

    // An edit is mailed only to people who weren't mentioned before.
    for (const expected of [[viewer.email], []]) {
      const again = { text: 'Look again', mentions: [ada.id, viewer.id] };
      assert.equal((await change(bob, first.id, again)).status, 200);
      assert.deepEqual(
        (await mails()).map(({ to }) => to),
        expected,
      );
    }

    // Nothing is mailed to people who could not open it now, since the directory hasn't vouched for them.
    const requireSso = (required: number) =>
      server.database.write((transaction) => transaction.run(setRequireSso, { required }));
    const bobOfDirectory = await server.createSsoSession(bob, created.organizationId);
    await requireSso(1);
    await written(bobOfDirectory, { text: 'For members', threadId: first.id, mentions: [viewer.id] });
    assert.deepEqual(await mails(), []);
    await requireSso(0);

    // Nothing is mailed to people who lost access.
    await share(server, ada, created.id, { restricted: true, members: [] });
    const edited = await change(ada, reply.comments[1].id, { resolved: true });
    assert.equal(edited.status, 200);
    await written(ada, { text: 'Hidden', threadId: first.id });
    await finishAfterResponses(server.app.server);
    assert.deepEqual(server.mails, []);
  });

  test('show the value that they are about only to people who may see its report', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner: ada, organizationId } = newsroom;
    const viewer = await server.createMember(organizationId, 'viewer');
    const { id: reportId } = await newsroom.save({ name: 'Salaries', query: 'select 1 as salary' });
    const body = { name: 'Staff', organizationId, widgets: [{ reportId }] };
    const created = await server.call('POST /api/dashboards', { as: ada, body });
    const path = `/api/dashboards/${created.body.id}/comments`;
    const mark = { values: { salary: 98_765 }, text: '98,765' };
    const widgetId = created.body.widgets[0].id;
    const thread = await server.call(`POST ${path}`, { as: ada, body: { text: 'High', widgetId, mark } });
    assert.deepEqual(thread.body.mark, mark);
    const marksFor = async (as: Person) => {
      const list = await server.call(`GET ${path}`, { as });
      const one = await server.call(`GET ${path}?comment-id=${thread.body.id}`, { as });
      const reply = await server.call(`POST ${path}`, { as, body: { text: 'Hm', threadId: thread.body.id } });
      assert.equal(reply.status, 201, reply.text);
      const change = { as, body: { resolved: true } };
      const changed = await server.call(`PATCH ${path}/${thread.body.id}`, change);
      assert.equal(changed.body.widgetId, widgetId);
      return [list.body.items[0], one.body.items[0], reply.body, changed.body].map((each) => each.mark);
    };
    assert.deepEqual(await marksFor(viewer), [mark, mark, mark, mark]);
    const restriction = { as: ada, body: { restricted: true, members: [] } };
    assert.equal((await server.call(`PUT /api/reports/${reportId}/access`, restriction)).status, 200);
    assert.deepEqual(await marksFor(viewer), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(await marksFor(ada), [mark, mark, mark, mark]);
    // Neither when the widget is removed.
    const edit = { as: ada, headers: { 'if-match': '"1"' }, body: { name: 'Staff', widgets: [] } };
    const removed = await server.call(`PUT /api/dashboards/${created.body.id}`, edit);
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(await marksFor(viewer), [undefined, undefined, undefined, undefined]);
  });
});

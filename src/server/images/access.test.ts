import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { pngOf } from '../../../tests/support/image-files.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Engine,
  type Person,
} from '../../../tests/support/server/test-server.ts';

async function startGallery(context: Parameters<typeof startTestServer>[0], engine: Engine) {
  const server = await startTestServer(context, engine);
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}/images`;
  const member = (role: 'editor' | 'viewer') => server.createMember(organizationId, role);
  const [author, editor, viewer] = [await member('editor'), await member('editor'), await member('viewer')];
  const upload = async (as: Person, width: number): Promise<string> =>
    (
      await server.call(`POST ${path}`, {
        as,
        body: pngOf(width, 1),
        headers: { 'content-type': 'image/png' },
      })
    ).body.id;
  const show = (image: string) => ({ reportId: 'builtin:image', config: { image } });
  const create = async (as: Person, widgets: object[]): Promise<string> => {
    const body = { name: 'Board', organizationId, widgets };
    const created = await server.call('POST /api/dashboards', { as, body });
    assert.equal(created.status, 201, created.text);
    return created.body.id;
  };
  const restrict = async (id: string, members: object[] = []) =>
    assert.equal(
      (
        await server.call(`PUT /api/dashboards/${id}/access`, {
          as: owner,
          body: { restricted: true, members },
        })
      ).status,
      200,
    );
  const put = async (as: Person, id: string, widgets: object[]) => {
    const { headers } = await server.call(`GET /api/dashboards/${id}`, { as });
    const options = {
      as,
      headers: { 'if-match': String(headers['etag']) },
      body: { name: 'Board', widgets },
    };
    const saved = await server.call(`PUT /api/dashboards/${id}`, options);
    assert.equal(saved.status, 200, saved.text);
    return saved.body as { widgets: { id: string }[] };
  };
  /** Returns the status of reading an image, and whether it is listed. */
  const seenBy = async (as: Person, id: string) => {
    const { items } = (await server.call(`GET ${path}`, { as })).body as { items: { id: string }[] };
    const { status } = await server.call(`GET ${path}/${id}`, { as });
    return `${status}${items.some((item) => item.id === id) ? ' listed' : ''}`;
  };
  const all = async (id: string) => {
    const seen: string[] = [];
    for (const person of [owner, author, editor, viewer]) seen.push(await seenBy(person, id));
    return seen;
  };
  const displayed = async (dashboardId: string, image: string) => {
    const { body } = await server.call(`POST /api/dashboards/${dashboardId}/display-links`, {
      as: owner,
      body: { name: 'Lobby' },
    });
    const headers = { authorization: `Bearer ${body.token}` };
    return (await server.call(`GET /api/display/images/${image}`, { headers })).status;
  };
  return {
    server,
    owner,
    organizationId,
    path,
    author,
    editor,
    viewer,
    upload,
    show,
    create,
    restrict,
    put,
    seenBy,
    all,
    displayed,
  };
}

describeOnUsualEngine('an image of an organization', (engine) => {
  test('is as restricted as the dashboards that show it', async (context) => {
    const gallery = await startGallery(context, engine);
    const { server, owner, organizationId, path, author, editor, viewer } = gallery;
    const { upload, show, create, restrict, put, all, seenBy } = gallery;
    const image = await upload(author, 1);
    assert.deepEqual(await all(image), ['200 listed', '200 listed', '200', '200'], 'no dashboard shows it');

    const text = { reportId: 'builtin:text', config: { text: `![Plan](image:${image})` } };
    const first = await create(author, [text]);
    assert.deepEqual(
      await all(image),
      Array.from({ length: 4 }, () => '200 listed'),
      'everyone may see it',
    );
    await restrict(first);
    assert.deepEqual(await all(image), ['200 listed', '200 listed', '404', '404']);
    assert.equal((await server.call(`DELETE ${path}/${image}`, { as: editor })).status, 404);
    const exported = await server.call(`GET /api/organizations/${organizationId}/dashboards/export`, {
      as: editor,
    });
    assert.ok(!exported.text.includes(image));

    // Nor through the history of the dashboard, or its trash.
    await put(author, first, []);
    assert.deepEqual(await all(image), ['200 listed', '200 listed', '404', '404']);

    // A share opens it, also in the trash, and so does a dashboard of someone who may see it.
    await restrict(first, [{ userId: viewer.id, access: 'view' }]);
    assert.equal((await server.call(`DELETE /api/dashboards/${first}`, { as: author })).status, 204);
    assert.deepEqual(await all(image), ['200 listed', '200 listed', '404', '200 listed']);
    await create(owner, [show(image)]);
    assert.equal(await seenBy(editor, image), '200 listed');
  });

  test('that somebody else has uploaded, too, is like a new one', async (context) => {
    const { server, owner, author, editor, path, upload, show, create, restrict } = await startGallery(
      context,
      engine,
    );
    const image = await upload(author, 3);
    await restrict(await create(author, [show(image)]));
    const listed = async (as: Person) => (await server.call(`GET ${path}`, { as })).body.items;
    const [first] = await listed(author);
    server.advance(60_000);
    const again = await server.call(`POST ${path}`, {
      as: editor,
      body: pngOf(3, 1),
      headers: { 'content-type': 'image/png' },
    });
    const createdAt = new Date(server.clock()).toISOString();
    assert.notEqual(first.createdAt, createdAt);
    assert.deepEqual([again.status, again.body], [201, { ...first, createdAt }]);
    assert.deepEqual(await listed(editor), [{ ...first, createdAt }]);
    assert.deepEqual(await listed(author), [first]);
    assert.deepEqual(await listed(owner), [first]);
  });

  test('is not opened by people who add its ID to a dashboard of theirs', async (context) => {
    const { server, owner, author, editor, organizationId, ...gallery } = await startGallery(context, engine);
    const { upload, show, create, restrict, put, seenBy, displayed } = gallery;
    const image = await upload(author, 2);
    const secret = await create(author, [show(image)]);
    await restrict(secret);
    const own = await create(editor, [show(image)]);
    assert.equal(await seenBy(editor, image), '404');
    assert.equal(await displayed(own, image), 404, 'although the person who made the link may see it');
    assert.equal(await displayed(secret, image), 200);

    // Not by saving again, a copy, or somebody else’s save that changes another widget.
    const { widgets } = await put(editor, own, [show(image)]);
    await put(owner, own, [...widgets, { reportId: 'builtin:heading', config: { text: 'Ours' } }]);
    await server.call(`POST /api/dashboards/${own}/duplicate`, { as: owner, body: { name: 'Copy' } });
    const document = {
      format: 'atrium.dashboard/1',
      id: randomUUID(),
      name: 'Imported',
      widgets: [show(image)],
    };
    const imported = await server.call(`POST /api/organizations/${organizationId}/dashboards/import`, {
      as: editor,
      body: { documents: [document] },
    });
    assert.equal(imported.status, 200, imported.text);
    assert.deepEqual(imported.body.items[0].missingImages, [{ id: image }]);
    assert.equal(await seenBy(editor, image), '404');
    assert.equal(await displayed(own, image), 404);

    // Whoever has the file may see and show it.
    assert.equal(await upload(editor, 2), image);
    assert.equal(await seenBy(editor, image), '200 listed');
    await put(editor, own, [show(image)]);
    assert.equal(await displayed(own, image), 200);
  });
});

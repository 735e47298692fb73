import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersOf } from '../../../tests/support/dashboards/folders.ts';
import { share, startTeam } from '../../../tests/support/dashboards/team.ts';
import { describeOnUsualEngine, type Person } from '../../../tests/support/server/test-server.ts';

describeOnUsualEngine('creating in a folder', (engine) => {
  test('gives a dashboard and a report the access of the folder in the request that creates them', async (context) => {
    const { server, ada: owner, bob, organizationId } = await startTeam(context, engine);
    const folders = foldersOf({ server, organizationId });
    const [eve, vic] = [
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const secret = await folders.create(owner, 'Secret');
    const members = [bob, vic].map(({ id: userId }) => ({ userId, access: 'edit' }));
    assert.equal((await folders.share(owner, secret, { restricted: true, members })).status, 200);
    const source = { name: 'Files', kind: 'files' };
    const sources = `POST ${folders.path}/data-sources`;
    const dataSourceId = (await server.call(sources, { as: owner, body: source })).body.id;
    const report = { name: 'Layoffs', dataSourceId, query: 'SELECT 1' };
    const send = (as: Person, kind: 'dashboards' | 'reports', headers = {}) =>
      server.call(`POST /api/folders/${secret}/${kind}`, {
        as,
        body: kind === 'reports' ? report : { name: 'Layoffs' },
        headers,
      });

    for (const kind of ['dashboards', 'reports'] as const) {
      const headers = { 'idempotency-key': `once-${kind}` };
      const created = await send(bob, kind, headers);
      assert.deepEqual([created.status, created.body.organizationId], [201, organizationId], created.text);
      const path = `/api/${kind}/${created.body.id}`;
      assert.equal(created.headers['location'], path);
      assert.equal((await send(bob, kind, headers)).text, created.text);
      const read = async (as: Person) => (await server.call(`GET ${path}`, { as })).status;
      assert.deepEqual(
        [await read(bob), await read(owner), await read(vic), await read(eve)],
        [200, 200, 200, 404],
      );
      const listed = async (as: Person) => {
        const { body } = await server.call(`GET /api/${kind}?organizationId=${organizationId}`, { as });
        return body.items.map(({ id, folderId }: { id: string; folderId?: string }) => [id, folderId]);
      };
      assert.deepEqual([await listed(bob), await listed(eve)], [[[created.body.id, secret]], []]);
      // Vic may edit what is in the folder, but viewers create nothing. For Eve, there is no such folder.
      assert.deepEqual([(await send(vic, kind)).status, (await send(eve, kind)).status], [403, 404]);
    }
    assert.equal((await folders.share(owner, secret, { restricted: false })).status, 200);
    assert.equal(
      (
        await folders.share(owner, secret, {
          restricted: true,
          members: [{ userId: eve.id, access: 'view' }],
        })
      ).status,
      200,
    );
    assert.equal((await send(eve, 'dashboards')).status, 403);
    assert.equal((await server.call(`DELETE /api/folders/${secret}?force=true`, { as: owner })).status, 204);
    assert.equal((await send(owner, 'dashboards')).status, 404);
  });

  test('shows a copy to nobody who does not see the original', async (context) => {
    const { server, ada: owner, bob, organizationId } = await startTeam(context, engine);
    const folders = foldersOf({ server, organizationId });
    const eve = await server.createMember(organizationId, 'editor');
    const members = [{ userId: bob.id, access: 'edit' as const }];
    const secret = await folders.create(owner, 'Secret');
    await folders.share(owner, secret, { restricted: true, members });
    const inner = await folders.create(owner, 'Inner', secret);
    const open = await folders.create(eve, 'Open');
    const shared = await folders.create(bob, 'Shared');
    await folders.share(bob, shared, { restricted: true, members: [{ userId: eve.id, access: 'view' }] });
    const own = await folders.create(bob, 'Own');
    const make = async (path: string, body: object = {}) => {
      const created = await server.call(`POST ${path}`, { as: owner, body: { name: 'Layoffs', ...body } });
      assert.equal(created.status, 201, created.text);
      return created.body.id as string;
    };
    const inFolder = await make(`/api/folders/${secret}/dashboards`);
    const single = await make('/api/dashboards', { organizationId });
    await share(server, owner, single, { restricted: true, members });
    const visible = await make('/api/dashboards', { organizationId });

    /** The status of the copy, and whether Eve sees it and whether it is restricted itself. */
    const copy = async (as: Person, original: string, folderId: string) => {
      const line = `POST /api/dashboards/${original}/duplicate`;
      const { status, body } = await server.call(line, { as, body: { folderId } });
      if (status !== 201) return status;
      const path = `/api/dashboards/${body.id}`;
      const access = await server.call(`GET ${path}/access`, { as: owner });
      const seen = await server.call(`GET ${path}`, { as: eve });
      return [seen.status, access.body.restricted];
    };
    const rows = [
      // In the folder of the original or in one within it, the folder decides.
      [bob, inFolder, secret, [404, false]],
      [bob, inFolder, inner, [404, false]],
      [bob, visible, shared, [200, false]],
      // A folder that is shared with nobody grants nothing.
      [bob, inFolder, own, [404, true]],
      [bob, single, own, [404, true]],
      // The owner of the folder, or those it is shared with, would see the copy.
      [bob, inFolder, open, 403],
      [bob, inFolder, shared, 403],
      [bob, single, shared, 403],
      [owner, single, shared, [200, true]],
    ] as const;
    for (const [as, original, folderId, expected] of rows)
      assert.deepEqual(await copy(as, original, folderId), expected, JSON.stringify(expected));
    // The page of a dashboard copies it into its folder, unless the reader may not see that.
    await share(server, owner, inFolder, {
      restricted: false,
      members: [{ userId: eve.id, access: 'view' }],
    });
    const folderOf = async (as: Person) =>
      (await server.call(`GET /api/dashboards/${inFolder}/permissions`, { as })).body.folderId;
    assert.deepEqual([await folderOf(bob), await folderOf(eve)], [secret, undefined]);
    const refused = async (as: Person, original: string, body: object) =>
      (await server.call(`POST /api/dashboards/${original}/duplicate`, { as, body })).body.errors;
    const pointer = '/folderId';
    assert.deepEqual(await refused(eve, visible, { folderId: secret }), [
      { pointer, code: 'unknown', message: 'must be a folder of the organization' },
    ]);
    assert.deepEqual(await refused(bob, visible, { folderId: own, organizationId: null }), [
      { pointer, code: 'personal', message: 'must be left out of a personal copy' },
    ]);
  });

  test('stores what an import creates in the folder, and leaves the rest where it is', async (context) => {
    const { server, ada: owner, bob, organizationId } = await startTeam(context, engine);
    const folders = foldersOf({ server, organizationId });
    const secret = await folders.create(owner, 'Secret');
    await folders.share(owner, secret, { restricted: true });
    const document = (id: string, name: string) => ({
      format: 'atrium.dashboard/1',
      id: `00000000-0000-7000-8000-00000000000${id}`,
      name,
      widgets: [],
    });
    const send = async (as: Person, query: string, ...documents: object[]) =>
      server.call(`POST ${folders.path}/dashboards/import${query}`, { as, body: { documents } });
    const query = `?folderId=${secret}`;
    assert.equal((await send(bob, query, document('1', 'Old'))).status, 404);
    const [{ dashboardId: old }] = (await send(owner, '', document('1', 'Old'))).body.items;
    const [, { dashboardId: added }] = (
      await send(owner, query, document('1', 'Older'), document('2', 'New'))
    ).body.items;
    const read = async (as: Person, id: string) =>
      (await server.call(`GET /api/dashboards/${id}`, { as })).body.name;
    assert.deepEqual([await read(owner, old), await read(owner, added)], ['Older', 'New']);
    assert.deepEqual([await read(bob, old), await read(bob, added)], ['Older', undefined]);
    await folders.share(owner, secret, { restricted: true, members: [{ userId: bob.id, access: 'view' }] });
    assert.equal((await send(bob, query, document('3', 'Another'))).status, 403);
    const elsewhere = await server.createOrganization(owner);
    const other = `POST /api/organizations/${elsewhere}/dashboards/import${query}`;
    const body = { documents: [document('4', 'Foreign')] };
    assert.equal((await server.call(other, { as: owner, body })).status, 404);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersOf } from '../../../tests/support/dashboards/folders.ts';
import {
  createDashboard,
  share as shareDashboard,
  startTeam,
} from '../../../tests/support/dashboards/team.ts';
import { describeOnUsualEngine, problemOf, type Person } from '../../../tests/support/server/test-server.ts';
import { daysMs } from '../base/clock.ts';
import { prepare } from '../storage/prepared-query.ts';
import { purgeOldFolders } from './trash.ts';

const forbidden = { status: 403, code: 'forbidden' };

describeOnUsualEngine('the trash of folders', (engine) => {
  test('has everything that was in a folder, and restores it together', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { path, create, move, act, tree, share } = foldersOf(team);
    const vic = await server.createMember(organizationId, 'viewer');
    const outer = await create(bob, 'Outer');
    const inner = await create(bob, 'Inner', outer);
    const make = async (name: string) => createDashboard(server, bob, { name, organizationId });
    const [first, second, third] = [await make('First'), await make('Second'), await make('Third')];
    for (const id of [first, second, third]) assert.equal(await move(bob, id, inner), 'done');
    const deleted = await act(bob, { action: 'delete', items: [{ kind: 'dashboard', id: third }] });
    assert.equal(deleted.body.items[0].done, true);
    const remove = async (as: Person, id: string) => server.call(`DELETE /api/folders/${id}`, { as });
    const restore = async (as: Person, id: string) => server.call(`POST /api/folders/${id}/restore`, { as });
    const statuses = async (as = bob) =>
      Promise.all(
        [first, second, third].map(
          async (id) => (await server.call(`GET /api/dashboards/${id}`, { as })).status,
        ),
      );
    assert.deepEqual(problemOf(await remove(vic, outer)), forbidden);
    assert.equal((await remove(bob, outer)).status, 204);
    assert.deepEqual([await tree(bob), await statuses()], [[], [404, 404, 404]]);
    const inTrash = async (as: Person) =>
      (await server.call(`GET ${path}/folders?deleted=true`, { as })).body.items.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual([await inTrash(bob), await inTrash(vic)], [['Outer'], []]);
    assert.deepEqual(problemOf(await restore(vic, outer)), forbidden);
    assert.deepEqual(problemOf(await restore(bob, inner)), forbidden);
    assert.equal((await restore(bob, outer)).status, 200);
    // What was deleted before stays in the trash.
    assert.deepEqual(
      [await tree(bob), await statuses()],
      [
        ['Outer/Inner', 'Outer'],
        [200, 200, 404],
      ],
    );

    // Restored alone, it is in no folder, and as hidden as it was in a restricted one.
    await share(bob, outer, { restricted: true });
    assert.equal((await remove(bob, outer)).status, 204);
    const back = await act(bob, {
      action: 'restore',
      items: [
        { kind: 'dashboard', id: first },
        { kind: 'dashboard', id: 'nothing' },
      ],
    });
    const outcomes = back.body.items.map(({ done, code }: { done: boolean; code?: string }) => code ?? done);
    assert.deepEqual(outcomes, [true, 'not_found']);
    assert.deepEqual(
      [await statuses(), await statuses(vic)],
      [
        [200, 404, 404],
        [404, 404, 404],
      ],
    );
    const access = await server.call(`GET /api/dashboards/${first}/access`, { as: ada });
    assert.equal(access.body.restricted, true);
    const list = `GET /api/dashboards?organizationId=${organizationId}&folderId=none`;
    const names = (await server.call(list, { as: bob })).body.items.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['First']);
  });

  test('is purged of a folder by its owner and admins; what was in it stays, as hidden as before', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { path, create, move, share } = foldersOf(team);
    const [eve, mallory] = [await server.createMember(organizationId, 'editor'), await server.createPerson()];
    const [open, hidden] = [await create(bob, 'Open'), await create(bob, 'Hidden')];
    const inner = await create(bob, 'Inner', open);
    await share(bob, hidden, { restricted: true, members: [{ userId: eve.id, access: 'edit' }] });
    for (const [name, place] of [
      ['First', inner],
      ['Secret', hidden],
    ] as const) {
      const id = await createDashboard(server, bob, { name, organizationId });
      assert.equal(await move(bob, id, place), 'done');
    }
    const purge = async (as: Person, id: string) => server.call(`DELETE /api/trash/folders/${id}`, { as });
    assert.equal((await purge(bob, open)).status, 404);
    for (const id of [open, hidden])
      assert.equal((await server.call(`DELETE /api/folders/${id}`, { as: bob })).status, 204);
    const { body } = await server.call(`GET ${path}/folders?deleted=true`, { as: bob });
    assert.deepEqual(
      body.items.map(({ name, deletedByName }: Record<string, string>) => [name, deletedByName]),
      [
        ['Hidden', 'editor'],
        ['Open', 'editor'],
      ],
    );
    const { deletedAt, purgeAt } = body.items[0];
    assert.equal(Date.parse(purgeAt) - Date.parse(deletedAt), daysMs(30));
    assert.deepEqual(problemOf(await purge(eve, open)), forbidden);
    assert.deepEqual(problemOf(await purge(eve, hidden)), forbidden);
    assert.deepEqual(problemOf(await purge(bob, inner)), forbidden);
    assert.equal((await purge(mallory, open)).status, 404);
    assert.deepEqual([(await purge(bob, open)).status, (await purge(ada, hidden)).status], [204, 204]);
    assert.equal((await purge(bob, open)).status, 404);
    const left = async (as: Person) =>
      (
        await server.call(`GET /api/trash/dashboards?organizationId=${organizationId}`, { as })
      ).body.items.map(({ name }: { name: string }) => name);
    assert.deepEqual([(await left(bob)).toSorted(), await left(eve)], [['First', 'Secret'], ['First']]);
    const audit = await server.call(`GET ${path}/audit?action=folder.purged`, { as: ada });
    assert.deepEqual(
      audit.body.items.map((each: { actorId: string; details: object }) => [each.actorId, each.details]),
      [
        [ada.id, { folderId: hidden, name: 'Hidden' }],
        [bob.id, { folderId: open, name: 'Open' }],
      ],
    );
  });

  test('a folder within is restored outside if the folder around it is gone, and stays hidden', async (context) => {
    const team = await startTeam(context, engine);
    const { server, bob, organizationId } = team;
    const { create, share, tree } = foldersOf(team);
    const eve = await server.createMember(organizationId, 'editor');
    const outer = await create(bob, 'Outer');
    const inner = await create(bob, 'Inner', outer);
    await share(bob, outer, { restricted: true });
    for (const id of [inner, outer])
      assert.equal((await server.call(`DELETE /api/folders/${id}`, { as: bob })).status, 204);
    assert.equal((await server.call(`POST /api/folders/${inner}/restore`, { as: bob })).status, 200);
    assert.deepEqual([await tree(bob), await tree(eve)], [['Inner'], []]);
  });

  test('nobody moves a folder out of one that they can’t see by deleting and restoring it', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { create, share, tree } = foldersOf(team);
    const [eve, vic] = [
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const outer = await create(bob, 'Outer');
    const inner = await create(bob, 'Inner', outer);
    await share(bob, outer, { restricted: true, members: [{ userId: vic.id, access: 'view' }] });
    await share(bob, inner, { restricted: false, members: [{ userId: eve.id, access: 'edit' }] });
    assert.deepEqual([await tree(eve), await tree(vic)], [['Inner'], ['Outer/Inner', 'Outer']]);
    assert.equal((await server.call(`DELETE /api/folders/${inner}`, { as: eve })).status, 204);
    const { status, body } = await server.call(`POST /api/folders/${inner}/restore`, { as: eve });
    assert.deepEqual([status, body.parentId], [200, undefined]);
    for (const person of [vic, ada]) assert.deepEqual(await tree(person), ['Outer/Inner', 'Outer']);
  });

  test('nobody deletes a folder that they can’t see with the folder around it', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { create, share, tree } = foldersOf(team);
    const eve = await server.createMember(organizationId, 'editor');
    const outer = await create(bob, 'Outer');
    const inner = await create(bob, 'Inner', outer);
    await share(bob, inner, { restricted: true });
    assert.deepEqual(await tree(eve), ['Outer']);
    assert.deepEqual(problemOf(await server.call(`DELETE /api/folders/${outer}`, { as: eve })), forbidden);
    assert.deepEqual(await tree(ada), ['Outer/Inner', 'Outer']);
    assert.equal((await server.call(`DELETE /api/folders/${outer}`, { as: bob })).status, 204);
  });

  test('nobody deletes what they may not edit by deleting the folder around it', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { path, create, move } = foldersOf(team);
    const folder = await create(bob, 'Shared');
    const id = await createDashboard(server, ada, { name: 'Hidden', organizationId });
    await shareDashboard(server, ada, id, { restricted: true, members: [] });
    const eve = await server.createMember(organizationId, 'editor');
    assert.equal(await move(ada, id, folder), 'done');
    assert.deepEqual(problemOf(await server.call(`DELETE /api/folders/${folder}`, { as: eve })), forbidden);
    const { body } = await server.call(`PUT ${path}/personal-folder`, { as: bob });
    assert.deepEqual(problemOf(await server.call(`DELETE /api/folders/${body.id}`, { as: ada })), forbidden);
    await server.call(`DELETE ${path}/members/${bob.id}`, { as: ada });
    assert.equal((await server.call(`DELETE /api/folders/${body.id}`, { as: ada })).status, 204);
  });
});

describeOnUsualEngine('lists of folders', (engine) => {
  test('have what is in one folder in each order, page by page', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { create, move, share } = foldersOf(team);
    const vic = await server.createMember(organizationId, 'viewer');
    const [folder, hidden] = [await create(ada, 'Folder'), await create(ada, 'Hidden')];
    await share(ada, hidden, { restricted: true });
    for (const [name, place] of [
      ['C', folder],
      ['A', folder],
      ['B', folder],
      ['Root', null],
      ['Secret', hidden],
    ] as const) {
      const id = await createDashboard(server, ada, { name, organizationId });
      if (place !== null) assert.equal(await move(ada, id, place), 'done');
      if (name === 'Secret')
        await shareDashboard(server, ada, id, {
          restricted: false,
          members: [{ userId: vic.id, access: 'view' }],
        });
    }
    const read = async (as: Person, query: string) => {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const next: string = cursor === undefined ? '' : `&cursor=${cursor}`;
        const line = `GET /api/dashboards?organizationId=${organizationId}&limit=2&${query}${next}`;
        const { status, body } = await server.call(line, { as });
        if (status !== 200) return status;
        names.push(...body.items.map((item: { name: string; folderId?: string }) => item.name));
        cursor = body.nextCursor;
      } while (cursor !== undefined);
      return names.join('');
    };
    assert.equal(await read(bob, `folderId=${folder}`), 'BAC');
    assert.equal(await read(bob, `folderId=${folder}&sort=name`), 'ABC');
    assert.equal(await read(bob, `folderId=${folder}&sort=updated`), 'BAC');
    for (const sort of ['', '&sort=name', '&sort=updated'])
      assert.equal(await read(bob, `folderId=none${sort}`), 'Root');
    assert.equal(await read(ada, `folderId=${hidden}`), 'Secret');
    assert.equal(await read(vic, `folderId=${hidden}`), 404);
    assert.equal(await read(bob, 'folderId=nothing'), 404);
    assert.equal(await read(bob, `folderId=${folder}&q=a`), 400);
    assert.equal((await server.call(`GET /api/dashboards?folderId=${folder}`, { as: bob })).status, 400);
    // The folder of what is shared is only named to those who may see it.
    const { body } = await server.call(`GET /api/dashboards?organizationId=${organizationId}&q=secret`, {
      as: vic,
    });
    assert.deepEqual([body.items[0].name, body.items[0].folderId], ['Secret', undefined]);
    const found = await server.call(`GET /api/dashboards?organizationId=${organizationId}&q=c`, { as: vic });
    assert.equal(found.body.items[0].folderId, folder);
    const reports = await server.call(
      `GET /api/reports?organizationId=${organizationId}&folderId=${hidden}`,
      {
        as: vic,
      },
    );
    assert.equal(reports.status, 404);
  });

  test('is purged of folders after 30 days', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, organizationId } = team;
    const { path, create, share } = foldersOf(team);
    const outer = await create(ada, 'Outer');
    const inner = await create(ada, 'Inner', outer);
    await share(ada, inner, { restricted: true, groups: [{ groupId: 'Sales', access: 'view' }] });
    await create(ada, 'Other');
    assert.equal((await server.call(`DELETE /api/folders/${outer}`, { as: ada })).status, 204);
    const purge = () =>
      purgeOldFolders({ database: server.database, clock: server.clock }, { aborted: false });
    const inTrash = async () =>
      (await server.call(`GET ${path}/folders?deleted=true`, { as: ada })).body.items.length;
    await purge();
    assert.equal(await inTrash(), 1);
    server.advance(daysMs(30) + 1);
    await Promise.all([purge(), purge()]);
    const counted = prepare((db, p: { organizationId: string }) =>
      db.selectFrom('folders').select('name').where('organization_id', '=', p.organizationId),
    );
    assert.deepEqual(await server.database.all(counted, { organizationId }), [{ name: 'Other' }]);
    const shares = prepare((db) => db.selectFrom('shares').select('record_id'));
    assert.deepEqual(await server.database.all(shares, {}), []);
    const paths = prepare((db) => db.selectFrom('folder_paths').select('distance'));
    assert.deepEqual(await server.database.all(paths, {}), [{ distance: 0 }]);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersOf } from '../../../tests/support/dashboards/folders.ts';
import {
  createDashboard,
  share as shareDashboard,
  startTeam,
} from '../../../tests/support/dashboards/team.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { describeOnBothEngines, problemOf, type Person } from '../../../tests/support/server/test-server.ts';
import { setGroupsOfMember } from '../organizations/groups/groups.ts';

const notFound = { status: 404, code: 'not_found' };
const forbidden = { status: 403, code: 'forbidden' };

describeOnBothEngines('access through folders', (engine) => {
  test('is limited to people who may see a restricted folder, or something in it', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { path, create, share, move, tree } = foldersOf(team);
    const [eve, vic, gus] = [
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
      await server.createMember(organizationId, 'viewer'),
    ];
    await server.database.write((transaction) =>
      setGroupsOfMember(transaction, { organizationId, userId: gus.id }, ['Sales']),
    );
    const outer = await create(bob, 'Secret plans');
    const inner = await create(bob, 'Secret details', outer);
    const [id, single] = [
      await createDashboard(server, ada, { name: 'Merger costs', organizationId }),
      await createDashboard(server, ada, { name: 'Merger names', organizationId }),
    ];
    for (const each of [id, single]) assert.equal(await move(ada, each, inner), 'done');

    /** What somebody can do with both dashboards, and whether lists and searches show them. */
    const seenBy = async (as: Person) => {
      const levels = [];
      for (const each of [id, single]) {
        const { status, body } = await server.call(`GET /api/dashboards/${each}/permissions`, { as });
        levels.push(status === 200 ? body.access : status);
        const read = await server.call(`GET /api/dashboards/${each}`, { as });
        assert.equal(read.status, status);
        const exported = await server.call(`GET ${path}/dashboards/export`, { as });
        assert.equal(exported.text.includes(each), status === 200);
        for (const query of ['', '&q=merger', '&sort=name', '&filter=starred']) {
          const list = await server.call(`GET /api/dashboards?organizationId=${organizationId}${query}`, {
            as,
          });
          const shows = list.body.items.some((item: { id: string }) => item.id === each);
          assert.equal(shows, status === 200 && !query.includes('starred'), query);
        }
      }
      return levels;
    };
    assert.deepEqual(await seenBy(eve), ['edit', 'edit']);
    assert.deepEqual(await seenBy(vic), ['view', 'view']);

    assert.equal((await share(bob, outer, { restricted: true })).status, 200);
    assert.deepEqual(await seenBy(ada), ['manage', 'manage']);
    // The owner of the folder edits what is in it, but doesn't own it.
    assert.deepEqual(await seenBy(bob), ['edit', 'edit']);
    for (const person of [eve, vic, gus]) assert.deepEqual(await seenBy(person), [404, 404]);
    assert.deepEqual(await tree(eve), []);
    for (const each of [outer, inner])
      assert.deepEqual(problemOf(await server.call(`GET /api/folders/${each}`, { as: eve })), notFound);

    await share(bob, outer, { restricted: true, groups: [{ groupId: 'Sales', access: 'edit' }] });
    await share(bob, inner, { restricted: false, members: [{ userId: vic.id, access: 'view' }] });
    await shareDashboard(server, ada, single, {
      restricted: false,
      members: [{ userId: eve.id, access: 'view' }],
    });
    assert.deepEqual(await seenBy(gus), ['edit', 'edit']);
    assert.deepEqual(await seenBy(vic), ['view', 'view']);
    assert.deepEqual(await seenBy(eve), [404, 'view']);
    // A folder in one that somebody may not see is shown without it.
    assert.deepEqual([await tree(vic), await tree(eve)], [['Secret details'], []]);
    assert.equal((await server.call(`GET /api/folders/${inner}`, { as: vic })).body.parentId, undefined);

    const explain = async (person: Person, what = `dashboards/${id}`) => {
      const { body } = await server.call(`GET /api/${what}/access/${person.id}`, { as: ada });
      return [body.access, ...body.reasons];
    };
    const [plans, details] = [
      { id: outer, name: 'Secret plans' },
      { id: inner, name: 'Secret details' },
    ];
    assert.deepEqual(await explain(gus), [
      'edit',
      { by: 'group', groupId: 'Sales', groupName: 'Sales', access: 'edit', folder: plans },
    ]);
    assert.deepEqual(await explain(vic), ['view', { by: 'share', access: 'view', folder: details }]);
    assert.deepEqual(await explain(bob), ['edit', { by: 'owner', access: 'edit', folder: details }]);
    assert.deepEqual(await explain(eve), [undefined]);
    assert.deepEqual(await explain(eve, `dashboards/${single}`), ['view', { by: 'share', access: 'view' }]);
    assert.deepEqual(await explain(gus, `folders/${inner}`), [
      'edit',
      { by: 'group', groupId: 'Sales', groupName: 'Sales', access: 'edit', folder: plans },
    ]);
    assert.deepEqual(await explain(vic, `folders/${outer}`), [undefined]);

    // Removing a member ends the shares of folders, too.
    await server.call(`DELETE ${path}/members/${vic.id}`, { as: ada });
    await server.addMember(organizationId, vic, 'viewer');
    assert.deepEqual(await seenBy(vic), [404, 404]);
  });

  test('only people who can share decide who sees what by moving it', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { create, share, move, change } = foldersOf(team);
    const [eve, vic] = [
      await server.createMember(organizationId, 'editor'),
      await server.createMember(organizationId, 'viewer'),
    ];
    const [secret, open, other] = [
      await create(ada, 'Secret'),
      await create(bob, 'Open'),
      await create(eve, 'Of Eve'),
    ];
    const within = await create(ada, 'Within', secret);
    await share(ada, secret, { restricted: true, members: [{ userId: eve.id, access: 'edit' }] });
    const [ofEve, ofBob, hidden] = [
      await createDashboard(server, eve, { name: 'Of Eve', organizationId }),
      await createDashboard(server, bob, { name: 'Of Bob', organizationId }),
      await createDashboard(server, ada, { name: 'Hidden', organizationId }),
    ];
    assert.equal(await move(ada, hidden, secret), 'done');

    // Out of the restricted folder, in which Eve may otherwise move things around.
    for (const target of [null, open, other]) assert.equal(await move(eve, hidden, target), 'forbidden');
    assert.equal(await move(eve, hidden, within), 'done');
    assert.deepEqual(problemOf(await change(eve, within, { parentId: null })), forbidden);
    // Into it, it would vanish for others.
    assert.equal(await move(eve, ofBob, secret), 'forbidden');
    assert.equal(await move(eve, ofEve, secret), 'done');
    assert.equal(await move(eve, ofEve, null), 'done');
    // Into folders that Bob can't see or edit.
    assert.equal(await move(bob, ofBob, secret), 'invalid_body');
    await share(ada, open, { restricted: true, members: [{ userId: vic.id, access: 'view' }] });
    assert.equal(await move(eve, ofEve, open), 'invalid_body');
    assert.equal(await move(vic, ofBob, open), 'forbidden');
    await share(ada, open, { restricted: false });
    // By moving another's folder into an own one, one would become its owner.
    assert.deepEqual(problemOf(await change(eve, open, { parentId: other })), forbidden);
    assert.equal((await change(eve, other, { parentId: open })).status, 200);
    // In an own folder, one could hide what belongs to others by restricting it, or share it for them.
    assert.equal(await move(eve, ofBob, await create(eve, 'Trap')), 'forbidden');
    assert.equal(await move(eve, ofBob, open), 'done');
    assert.equal(await move(eve, ofBob, null), 'done');
    // What is restricted itself isn't given to the owner of another folder by those who may only edit it.
    await shareDashboard(server, bob, ofBob, {
      restricted: true,
      members: [{ userId: eve.id, access: 'edit' }],
    });
    const third = await create(eve, 'Third');
    assert.equal(await move(eve, ofBob, third), 'forbidden');
    assert.equal(await move(bob, ofBob, third), 'done');
    assert.equal(await move(vic, ofEve, null), 'forbidden');
    // Somebody who may only view a folder takes nothing out of it.
    await share(eve, third, { restricted: true, members: [{ userId: vic.id, access: 'view' }] });
    assert.equal(await move(vic, ofBob, null), 'forbidden');
    assert.equal(await move(bob, ofBob, null), 'done');

    for (const [as, id] of [
      [eve, secret],
      [vic, third],
    ] as const) {
      assert.deepEqual(problemOf(await share(as, id, { restricted: false })), forbidden);
      assert.deepEqual(
        problemOf(await server.call(`GET /api/folders/${id}/access/${ada.id}`, { as })),
        forbidden,
      );
    }
    assert.deepEqual(problemOf(await share(bob, secret, { restricted: false })), notFound);
  });

  test('applies to reports, their results on dashboards, and the search by their names', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner: ada, organizationId } = newsroom;
    const eve = await server.createMember(organizationId, 'editor');
    const { create, share, move } = foldersOf(newsroom);
    const { id: reportId } = await newsroom.save({ name: 'Zebra count', query: 'select 1 as one' });
    const id = await createDashboard(server, ada, { name: 'Zoo', organizationId, widgets: [{ reportId }] });
    const isFound = async () => {
      const { body } = await server.call(`GET /api/dashboards?organizationId=${organizationId}&q=zebra`, {
        as: eve,
      });
      return body.items.length === 1;
    };
    const resultFor = async () => {
      const { text } = await server.call(`GET /api/dashboards/${id}/results`, { as: eve });
      return JSON.parse(text.split('\n')[0] ?? '');
    };
    assert.equal(await isFound(), true);
    assert.equal((await resultFor()).result.rowCount, 1);
    const folder = await create(ada, 'Animals');
    assert.equal(await move(ada, reportId, folder, 'report'), 'done');
    assert.equal(await isFound(), true);
    await share(ada, folder, { restricted: true });
    assert.equal(await isFound(), false);
    const refused = await resultFor();
    assert.equal(refused.result, undefined);
    assert.ok(!JSON.stringify(refused).includes('Zebra'));
    assert.deepEqual(problemOf(await server.call(`GET /api/reports/${reportId}`, { as: eve })), notFound);
    assert.deepEqual(
      problemOf(await server.call(`POST /api/reports/${reportId}/run`, { as: eve, body: {} })),
      notFound,
    );
    const list = await server.call(`GET /api/reports?organizationId=${organizationId}`, { as: eve });
    assert.deepEqual(list.body.items, []);
    assert.equal(await move(ada, reportId, null, 'report'), 'done');
    assert.equal(await isFound(), true);
    assert.equal(await move(ada, reportId, folder, 'report'), 'done');
    assert.equal(await isFound(), false);
  });

  test('a personal folder is seen by its owner and by admins', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { path, create, share, move, tree, change } = foldersOf(team);
    const eve = await server.createMember(organizationId, 'editor');
    const open = async (as: Person) => server.call(`PUT ${path}/personal-folder`, { as });
    const [first, again] = await Promise.all([open(bob), open(bob)]);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(first.body, again.body);
    const { id, personal, restricted, access, userId, ownerName } = first.body;
    assert.deepEqual(
      [personal, restricted, access, userId, ownerName],
      [true, true, 'manage', bob.id, 'editor'],
    );
    const drafts = await create(bob, 'Drafts', id);
    const draft = await createDashboard(server, bob, { name: 'Draft', organizationId });
    assert.equal(await move(bob, draft, drafts), 'done');
    assert.deepEqual(
      [await tree(bob), await tree(ada)],
      [
        ['Personal/Drafts', 'Personal'],
        ['Personal/Drafts', 'Personal'],
      ],
    );
    assert.deepEqual(await tree(eve), []);
    const readAs = async (as: Person) => (await server.call(`GET /api/dashboards/${draft}`, { as })).status;
    assert.deepEqual([await readAs(bob), await readAs(ada), await readAs(eve)], [200, 200, 404]);

    for (const body of [{ name: 'X' }, { parentId: await create(bob, 'Open') }])
      assert.deepEqual(problemOf(await change(bob, id, body)), forbidden);
    assert.deepEqual(problemOf(await share(bob, id, { restricted: false })), {
      status: 400,
      code: 'invalid_body',
      faults: ['/restricted personal'],
    });
    await share(bob, drafts, { restricted: false, members: [{ userId: eve.id, access: 'edit' }] });
    assert.deepEqual([await readAs(eve), await tree(eve)], [200, ['Drafts', 'Open']]);

    // After Bob has left, admins still see it; and Bob does, should he return.
    await server.call(`DELETE ${path}/members/${bob.id}`, { as: ada });
    assert.deepEqual([await readAs(bob), await readAs(ada)], [404, 200]);
    await server.addMember(organizationId, bob, 'editor');
    assert.equal((await open(bob)).body.id, id);
    assert.equal(await readAs(bob), 200);
  });

  test('is announced to people who watch a dashboard when it changes', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, organizationId } = team;
    const { create, share, move } = foldersOf(team);
    const vic = await server.createMember(organizationId, 'viewer');
    const id = await createDashboard(server, ada, { name: 'D', organizationId });
    const folder = await create(ada, 'F');
    assert.equal(await move(ada, id, folder), 'done');
    const announced: string[] = [];
    const stop = server.database.onAnnounced({
      announced: (each) => announced.push(each),
      failed: assert.fail,
    });
    await share(ada, folder, { restricted: false, members: [{ userId: vic.id, access: 'edit' }] });
    while (!announced.includes(organizationId)) await new Promise(setImmediate);
    stop();
  });

  test('a copy of a restricted dashboard, or of one in a restricted folder, is restricted', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { create, share, move } = foldersOf(team);
    const eve = await server.createMember(organizationId, 'editor');
    const members = [{ userId: bob.id, access: 'view' as const }];
    const [inFolder, single, open] = [
      await createDashboard(server, ada, { name: 'Merger costs', organizationId }),
      await createDashboard(server, ada, { name: 'Merger names', organizationId }),
      await createDashboard(server, ada, { name: 'Traffic', organizationId }),
    ];
    const secret = await create(ada, 'Secret');
    assert.equal(await move(ada, inFolder, secret), 'done');
    await share(ada, secret, { restricted: true, members });
    await shareDashboard(server, ada, single, { restricted: true, members });
    const elsewhere = await server.createOrganization(bob);
    await server.addMember(elsewhere, eve, 'editor');

    const copiesSeenBy = async (as: Person, body: object) => {
      const seen = [];
      for (const original of [inFolder, single, open]) {
        const copy = await server.call(`POST /api/dashboards/${original}/duplicate`, { as: bob, body });
        assert.equal(copy.status, 201, copy.text);
        const { id } = copy.body;
        assert.equal((await server.call(`GET /api/dashboards/${id}`, { as: bob })).status, 200);
        const { status } = await server.call(`GET /api/dashboards/${id}`, { as });
        const found = await server.call(
          `GET /api/dashboards?q=merger&organizationId=${copy.body.organizationId}`,
          { as },
        );
        assert.equal(
          found.body.items.some((item: { id: string }) => item.id === id),
          status === 200 && original !== open,
        );
        seen.push(status);
      }
      return seen;
    };
    assert.deepEqual(await copiesSeenBy(eve, {}), [404, 404, 200]);
    assert.deepEqual(await copiesSeenBy(eve, { organizationId: elsewhere }), [404, 404, 200]);
    // Admins see what is restricted.
    assert.deepEqual(await copiesSeenBy(ada, {}), [200, 200, 200]);
  });
});

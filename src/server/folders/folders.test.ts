import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDashboard, startTeam } from '../../../tests/support/dashboards/team.ts';
import { foldersOf } from '../../../tests/support/dashboards/folders.ts';
import { describeOnUsualEngine, problemOf } from '../../../tests/support/server/test-server.ts';

const notFound = { status: 404, code: 'not_found' };
const forbidden = { status: 403, code: 'forbidden' };
/** Returns the problem of a response whose body was invalid at one place. */
const invalid = (fault: string) => ({ status: 400, code: 'invalid_body', faults: [fault] });

describeOnUsualEngine('folders', (engine) => {
  test('are created, renamed and moved by editors, and form a tree', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob, organizationId } = team;
    const { path, create, change, tree } = foldersOf(team);
    const sales = await create(ada, 'Sales');
    const north = await create(bob, 'North', sales);
    const made = await server.call(`GET /api/folders/${north}`, { as: bob });
    const { createdAt, updatedAt, ...folder } = made.body;
    assert.deepEqual(folder, {
      id: north,
      organizationId,
      parentId: sales,
      name: 'North',
      // A folder in another belongs to its owner.
      userId: ada.id,
      personal: false,
      restricted: false,
      access: 'edit',
    });
    assert.equal(createdAt, updatedAt);
    assert.equal(made.headers['etag'], '"1"');
    assert.deepEqual(await tree(bob), ['Sales/North', 'Sales']);

    const own = await create(bob, 'Own');
    const renamed = await change(bob, own, { name: 'Mine' });
    assert.deepEqual([renamed.status, renamed.body.name, renamed.headers['etag']], [200, 'Mine', '"2"']);
    const late = await server.call(`PATCH /api/folders/${own}`, {
      as: bob,
      body: { name: 'Late' },
      headers: { 'if-match': '"1"' },
    });
    assert.deepEqual(problemOf(late), { status: 412, code: 'unknown_version' });
    const deep = await create(bob, 'Deep', own);
    assert.equal((await change(bob, own, { parentId: north })).status, 200);
    assert.deepEqual(await tree(bob), ['Mine/Deep', 'North/Mine', 'Sales/North', 'Sales']);
    // What is moved into the folder of another owner belongs to that owner.
    assert.equal((await server.call(`GET /api/folders/${deep}`, { as: bob })).body.userId, ada.id);
    assert.equal((await change(ada, north, { parentId: null })).status, 200);
    assert.deepEqual(await tree(ada), ['Mine/Deep', 'North/Mine', 'North', 'Sales']);

    const viewer = await server.createMember(organizationId, 'viewer');
    assert.deepEqual(await tree(viewer), await tree(ada));
    assert.deepEqual(
      problemOf(await server.call(`POST ${path}/folders`, { as: viewer, body: { name: 'V' } })),
      forbidden,
    );
    assert.deepEqual(problemOf(await change(viewer, own, { name: 'V' })), forbidden);
    const { body } = await server.call(`GET ${path}/audit`, { as: ada });
    const actions = body.items.map(({ action }: { action: string }) => action);
    assert.deepEqual(actions.slice(0, 4), [
      'folder.moved',
      'folder.moved',
      'folder.created',
      'folder.renamed',
    ]);
  });

  test('a repeated create with the same key makes one folder', async (context) => {
    const team = await startTeam(context, engine);
    const { path } = foldersOf(team);
    const request = { as: team.bob, body: { name: 'Once' }, headers: { 'idempotency-key': 'k' } };
    const [one, two] = [
      await team.server.call(`POST ${path}/folders`, request),
      await team.server.call(`POST ${path}/folders`, request),
    ];
    assert.deepEqual(two.body, one.body);
    assert.equal(two.headers['etag'], '"1"');
  });

  test('can’t be put into themselves, too deep, or into folders of other organizations', async (context) => {
    const team = await startTeam(context, engine);
    const { server, ada, bob } = team;
    const { path, create, change } = foldersOf(team);
    const [a, other] = [await create(bob, 'A'), await create(bob, 'Other')];
    const b = await create(bob, 'B', a);
    const c = await create(bob, 'C', b);
    for (const parentId of [a, b, c])
      assert.deepEqual(problemOf(await change(bob, a, { parentId })), invalid('/parentId cycle'));

    let deepest = c;
    for (let depth = 4; depth <= 10; depth += 1) deepest = await create(bob, `Level ${depth}`, deepest);
    const tooDeep = await server.call(`POST ${path}/folders`, {
      as: bob,
      body: { name: 'X', parentId: deepest },
    });
    assert.deepEqual(problemOf(tooDeep), { status: 409, code: 'folder_limit' });
    assert.deepEqual(problemOf(await change(bob, a, { parentId: other })), {
      status: 409,
      code: 'folder_limit',
    });

    // Bob is a member of both organizations.
    const elsewhere = await server.createOrganization(ada);
    await server.addMember(elsewhere, bob, 'editor');
    const foreign = await foldersOf({ ...team, organizationId: elsewhere }).create(bob, 'Foreign');
    const nowhere = '0193f5a2-7c1e-7b3a-9d2f-4e5a6b7c8d9e';
    for (const parentId of [foreign, nowhere, '', "' or 1=1 --"]) {
      assert.deepEqual(problemOf(await change(bob, other, { parentId })), invalid('/parentId unknown'));
      const created = await server.call(`POST ${path}/folders`, { as: bob, body: { name: 'X', parentId } });
      assert.deepEqual(problemOf(created), invalid('/parentId unknown'));
    }
    const dashboard = await createDashboard(server, bob, { name: 'D', organizationId: team.organizationId });
    const { move } = foldersOf(team);
    assert.equal(await move(bob, dashboard, foreign), 'invalid_body');
    assert.equal(await move(bob, dashboard, nowhere), 'invalid_body');
    const foreignDashboard = await createDashboard(server, bob, { name: 'D', organizationId: elsewhere });
    const personal = await createDashboard(server, bob, { name: 'D' });
    assert.equal(await move(bob, foreignDashboard, other), 'not_found');
    assert.equal(await move(bob, personal, other), 'not_found');

    const stranger = await server.createPerson('Stranger');
    await server.createOrganization(stranger);
    const answers = [a, nowhere].map(async (id) => {
      const { body } = await server.call(`GET /api/folders/${id}`, { as: stranger });
      return { ...body, requestId: undefined };
    });
    const [existing, missing] = await Promise.all(answers);
    assert.deepEqual(existing, missing);
    assert.deepEqual(problemOf(await change(stranger, a, { name: 'X' })), notFound);
  });

  test('names are one visible line', async (context) => {
    const team = await startTeam(context, engine);
    const { path, create, tree } = foldersOf(team);
    for (const name of ['', ' ', '\u200b', 'a\nb', 'a\u202eb', 'x'.repeat(201)]) {
      const response = await team.server.call(`POST ${path}/folders`, { as: team.bob, body: { name } });
      const { status, code } = problemOf(response);
      assert.deepEqual({ status, code }, { status: 400, code: 'invalid_body' }, JSON.stringify(name));
    }
    const names = ['../..', '<script>alert(1)</script>', "'; drop table folders; --", 'ß/\\%_'];
    for (const name of names) await create(team.bob, name);
    assert.deepEqual((await tree(team.bob)).toSorted(), names.toSorted());
  });

  test('simultaneous moves never put folders into each other', async (context) => {
    const team = await startTeam(context, engine);
    const { create, change, tree } = foldersOf(team);
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await create(team.bob, `A${round}`), await create(team.bob, `B${round}`)];
      const c = await create(team.bob, `C${round}`, b);
      const responses = await Promise.all([
        change(team.bob, a, { parentId: c }),
        change(team.bob, b, { parentId: a }),
      ]);
      assert.deepEqual(
        responses.map(({ status }) => status).toSorted((one, other) => one - other),
        [200, 400],
      );
    }
    const paths = await tree(team.bob);
    assert.equal(paths.filter((each) => !each.includes('/')).length, 5);
  });

  test('an organization can have 1,000 folders', async (context) => {
    const team = await startTeam(context, engine);
    const { path, create } = foldersOf(team);
    await team.server.database.write(async (transaction) => {
      for (let index = 0; index < 999; index += 1)
        await transaction.execute(
          `insert into folders (id, organization_id, user_id, name, version, created_at, updated_at)
           values ('f${index}', '${team.organizationId}', '${team.bob.id}', 'F', 1, '', '')`,
        );
    });
    await create(team.bob, 'Last');
    const refused = await team.server.call(`POST ${path}/folders`, { as: team.bob, body: { name: 'More' } });
    assert.deepEqual(problemOf(refused), { status: 409, code: 'folder_limit' });
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';

interface Document {
  readonly id: string;
  readonly name: string;
  readonly restricted?: boolean;
}

describeOnUsualEngine('documents of restricted dashboards', (engine) => {
  test('are never imported less restricted than their source', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson();
    const [source, target] = [await server.createOrganization(owner), await server.createOrganization(owner)];
    const editor = await server.createMember(target, 'editor');
    const call = async (line: string, body: object, as = owner) => {
      const response = await server.call(line, { as, body });
      assert.ok(response.status < 300, response.text);
      return response.body;
    };
    const folder = await call(`POST /api/organizations/${source}/folders`, { name: 'Board' });
    await call(`PUT /api/folders/${folder.id}/access`, { restricted: true, members: [] });
    await call(`POST /api/folders/${folder.id}/dashboards`, { name: 'In a restricted folder' });
    const open = await call('POST /api/dashboards', { organizationId: source, name: 'Open' });
    const exported = async (): Promise<Document[]> => {
      const { text } = await server.call(`GET /api/organizations/${source}/dashboards/export`, { as: owner });
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Document);
    };
    const importThem = (documents: Document[], dryRun: boolean, as = owner) =>
      server.call(`POST /api/organizations/${target}/dashboards/import?dryRun=${dryRun}`, {
        as,
        body: { documents },
      });
    const seen = async () => {
      const { body } = await server.call(`GET /api/dashboards?organizationId=${target}`, { as: editor });
      return (body.items as Document[]).map(({ name }) => name);
    };
    const planOf = async () => {
      const { body, text } = await importThem(await exported(), true);
      assert.ok(body.items !== undefined, text);
      const items = body.items as (Document & { action: string; changes?: string[] })[];
      return Object.fromEntries(
        items.map(({ name, action, restricted, changes }) => [name, [action, restricted, changes]]),
      );
    };
    assert.deepEqual(await planOf(), {
      'In a restricted folder': ['create', true, undefined],
      Open: ['create', undefined, undefined],
    });
    assert.equal((await importThem(await exported(), false)).status, 200);
    assert.deepEqual(await seen(), ['Open']);

    await call(`PUT /api/dashboards/${open.id}/access`, { restricted: true, members: [] });
    const restricted = ['Becomes restricted, as it is where it comes from.'];
    assert.deepEqual(await planOf(), {
      'In a restricted folder': ['unchanged', undefined, undefined],
      Open: ['update', undefined, restricted],
    });
    const ofOpen = (await exported()).filter(({ name }) => name === 'Open');
    assert.equal((await importThem(ofOpen, false, editor)).status, 403, 'only people who may share it');
    assert.deepEqual(await seen(), ['Open']);
    assert.equal((await importThem(ofOpen, false)).status, 200);
    assert.deepEqual(await seen(), []);
    const withoutAccess = ofOpen.map(({ restricted: _restricted, ...document }) => document);
    assert.equal((await importThem(withoutAccess, false)).status, 200);
    assert.deepEqual(await seen(), [], 'nothing gets less restricted');
  });
});

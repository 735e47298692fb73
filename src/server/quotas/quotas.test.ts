import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOfOrganization } from '../base/tenant.ts';
import { describeOnBothEngines, startTestServer } from '../../../tests/support/server/test-server.ts';

const megabyte = 'x'.repeat(700_000);

describeOnBothEngines('a quota', (engine) => {
  test('of records refuses every kind of create, and counts the trash', async (context) => {
    const server = await startTestServer(context, engine, {
      ATRIUM_ORGANIZATION_MAX_RECORDS: '3',
      ATRIUM_PERSONAL_MAX_RECORDS: '1',
    });
    const as = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(as);
    const create = (body: object = { name: 'D', organizationId }) =>
      server.call('POST /api/dashboards', { as, body });
    const { id } = (await create()).body;
    const created = await Promise.all([create(), create(), create(), create()]);
    assert.ok(created.filter(({ status }) => status === 201).length >= 2);
    const refused = await create();
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body['quota'], refused.body['limit']],
      [403, 'quota_exceeded', 'records', 3],
    );
    const organization = `/api/organizations/${organizationId}`;
    for (const [line, body] of [
      [`POST /api/dashboards/${id}/duplicate`, {}],
      [`POST ${organization}/folders`, { name: 'F' }],
      [`POST ${organization}/data-sources`, { name: 'Files', kind: 'files' }],
    ] as const) {
      const { status, body: problem } = await server.call(line, { as, body });
      assert.deepEqual([line, status, problem.code], [line, 403, 'quota_exceeded']);
    }
    const usage = await server.call(`GET ${organization}/usage`, { as });
    const { used, limit } = usage.body['records'] as { used: number; limit: number };
    assert.ok(used >= limit && limit === 3);
    const headers = { 'if-match': '*' };
    assert.equal((await server.call(`DELETE /api/dashboards/${id}`, { as, headers })).status, 204);
    assert.equal((await create()).status, 403);
    assert.equal((await create({ name: 'Personal' })).status, 201);
    assert.equal((await create({ name: 'Personal' })).status, 403);
    const other = await server.createPerson('Bob');
    const others = await server.createOrganization(other);
    for (const body of [{ name: 'D', organizationId: others }, { name: 'D' }])
      assert.equal((await server.call('POST /api/dashboards', { as: other, body })).status, 201);
  });

  test('of organizations counts those that a person owns, with those in the trash', async (context) => {
    const server = await startTestServer(context, engine, {
      ATRIUM_ORGANIZATION_CREATION: 'everyone',
      ATRIUM_PERSONAL_MAX_ORGANIZATIONS: '2',
    });
    const as = await server.createPerson('Ada');
    const create = async (): Promise<readonly unknown[]> => {
      const { status, body } = await server.call('POST /api/organizations', { as, body: { name: 'O' } });
      return status === 201 ? [status] : [status, body.code, body['quota'], body['limit']];
    };
    const refused = [403, 'quota_exceeded', 'organizations', 2];
    const created = await Promise.all([create(), create(), create()]);
    assert.deepEqual(created.toSorted(), [[201], [201], refused]);
    const { body } = await server.call('GET /api/organizations', { as });
    const [first] = body['items'] as { id: string; name: string }[];
    assert.ok(first);
    const deletion = { as, body: { name: first.name } };
    const deleted = await server.call(`POST /api/organizations/${first.id}/delete`, deletion);
    assert.ok(deleted.status < 300, deleted.text);
    assert.deepEqual(await create(), refused);
  });

  test('of bytes refuses creates and edits, whose former versions count', async (context) => {
    const server = await startTestServer(context, engine, {
      ATRIUM_PERSONAL_MAX_RECORDS: '500',
      ATRIUM_PERSONAL_CONTENT_MB: '2',
    });
    const as = await server.createPerson('Ada');
    const body = { name: 'D', widgets: [{ reportId: 'builtin:text', config: { text: megabyte } }] };
    const { status, body: created } = await server.call('POST /api/dashboards', { as, body });
    assert.equal(status, 201);
    const statuses: number[] = [];
    for (let edit = 0; edit < 3; edit += 1) {
      const text = `${edit}${megabyte}`;
      const edited = await server.call(`PUT /api/dashboards/${created.id}`, {
        as,
        headers: { 'if-match': '*' },
        body: { name: 'D', widgets: [{ reportId: 'builtin:text', config: { text } }] },
      });
      statuses.push(edited.status);
    }
    assert.deepEqual(statuses, [200, 403, 403]);
    assert.equal((await server.call('POST /api/dashboards', { as, body })).body['quota'], 'bytes');
    assert.equal((await server.call('POST /api/dashboards', { as, body: { name: 'Small' } })).status, 201);
    const { records, bytes } = (await server.call('GET /api/auth/account/usage', { as })).body;
    assert.deepEqual(records, { used: 2, limit: 500 });
    assert.ok(bytes.used > 2 * 700_000 && bytes.limit === 2 * 1024 ** 2);
    const { organization, personal } = server.database.allowances.fullest();
    assert.deepEqual(organization, { records: 0, bytes: 0 });
    assert.deepEqual(personal, { records: 2 / 500, bytes: bytes.used / bytes.limit });
  });

  test('of bytes refuses what has no former versions, too, but not to delete', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_ORGANIZATION_CONTENT_MB: '1' });
    const as = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(as);
    const headers = { 'if-match': '*' };
    const organization = `/api/organizations/${organizationId}`;
    const created = async (path: string, body: object): Promise<string> => {
      const response = await server.call(`POST ${path}`, { as, body });
      assert.equal(response.status, 201, response.text);
      return response.body.id;
    };
    const dashboard = `/api/dashboards/${await created('/api/dashboards', { name: 'D', organizationId })}`;
    const thread = await created(`${dashboard}/comments`, { text: 'First' });
    const folder = await created(`${organization}/folders`, { name: 'F' });
    const source = await created(`${organization}/data-sources`, { name: 'Files', kind: 'files' });
    const model = { schema: 'main', name: 't' };
    const linesWith = (text: string) =>
      [
        [`POST ${dashboard}/comments`, { text }],
        [`POST ${dashboard}/comments`, { text, threadId: thread }],
        [`PATCH ${dashboard}/comments/${thread}`, { text }],
        [`PATCH /api/folders/${folder}`, { name: text }],
        [`PUT /api/data-sources/${source}`, { name: text, kind: 'files' }],
        [`PUT /api/data-sources/${source}/models`, { ...model, displayName: text }],
      ] as const;
    const ask = async ([line, body]: readonly [string, object]) =>
      (await server.call(line, { as, headers, body })).status;
    assert.deepEqual(await Promise.all(linesWith('One').map(ask)), [201, 201, 200, 200, 200, 200]);
    await server.database.write(async (transaction) => {
      await transaction.execute(`update dashboards set description = '${megabyte}${megabyte}'`);
      transaction.allowances.grant(keyOfOrganization(organizationId), { records: 0, bytes: 0 });
    });
    assert.deepEqual(await Promise.all(linesWith('Other').map(ask)), [403, 403, 403, 403, 403, 403]);
    const deletion = `DELETE /api/data-sources/${source}/models?schema=main&table=t`;
    assert.equal((await server.call(deletion, { as, headers })).status, 204);
    assert.equal(await ask([`PATCH ${dashboard}/comments/${thread}`, { resolved: true }]), 200);
  });
});

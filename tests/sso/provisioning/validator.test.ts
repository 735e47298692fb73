import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entraUser, schemas, startProvisioning, type Provisioner } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

/** Finds resources by a filter. Returns their IDs. */
async function find(scim: Provisioner, kind: 'Users' | 'Groups', filter: string): Promise<string[]> {
  const { status, body, text } = await scim.call(`GET /${kind}?filter=${encodeURIComponent(filter)}`);
  assert.equal(status, 200, text);
  assert.deepEqual([body.schemas, body.totalResults], [[schemas.list], body.Resources.length]);
  return body.Resources.map(({ id }: { id: string }) => id);
}

// The cases are those of Microsoft's SCIM validator (scimvalidator.microsoft.com) and of the checklist of its reference code.
describeSignIns('the cases of Microsoft’s validator', (world) => {
  const start = async () => {
    const organization = await world.createOrganization();
    return { domain: organization.domain, scim: await startProvisioning(world.server, organization) };
  };

  test('users', async (context) => {
    const { domain, scim } = await start();
    const { id, userName } = await scim.createUser('Sandy', { externalId: 'object-1' });
    const at = `/Users/${id}`;
    const read = async () => (await scim.call(`GET ${at}`)).body;
    const change = async (...operations: object[]) => {
      const response = await scim.patch(at, ...operations);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(await read(), response.body);
      return response.body;
    };
    const cases: Record<string, () => Promise<void>> = {
      'create a duplicate': async () => {
        assert.equal((await scim.call('POST /Users', entraUser(userName, 'Sandy'))).status, 409);
      },
      'filter for an existing user with a different case': async () => {
        assert.deepEqual(await find(scim, 'Users', `USERNAME EQ "${userName.toUpperCase()}"`), [id]);
      },
      'filter for a user who does not exist': async () => {
        assert.deepEqual(await find(scim, 'Users', 'userName eq "5f1b1c3e-7f0e-4f0c-9c39-6b7b5b0f6c11"'), []);
      },
      'patch: add attributes': async () => {
        const body = await change(
          { op: 'add', path: 'preferredLanguage', value: 'en' },
          { op: 'add', path: 'addresses[type eq "work"].locality', value: 'Oslo' },
          { op: 'add', path: `${schemas.enterprise}:employeeNumber`, value: '7' },
          { op: 'add', value: { nickName: 'S', 'name.middleName': 'M' } },
        );
        assert.deepEqual(
          [
            body.preferredLanguage,
            body.addresses,
            body[schemas.enterprise],
            body.nickName,
            body.name.middleName,
          ],
          ['en', [{ type: 'work', locality: 'Oslo' }], { employeeNumber: '7' }, 'S', 'M'],
        );
      },
      'patch: replace attributes': async () => {
        const body = await change(
          { op: 'replace', path: 'emails[type eq "work"].value', value: `new@${domain}` },
          { op: 'replace', path: 'emails[type eq "work"].primary', value: true },
          {
            op: 'replace',
            value: { displayName: 'New', title: 'T', [`${schemas.enterprise}:department`]: 'D' },
          },
        );
        assert.deepEqual(
          [body.emails, body.title],
          [[{ primary: true, type: 'work', value: `new@${domain}` }], 'T'],
        );
      },
      'patch: change the user name': async () => {
        await change({ op: 'replace', path: 'userName', value: `renamed@${domain}` });
        assert.deepEqual(await find(scim, 'Users', `userName eq "renamed@${domain}"`), [id]);
        assert.deepEqual(await find(scim, 'Users', `userName eq "${userName}"`), []);
      },
      'patch: disable, and filter for the disabled user': async () => {
        await change({ op: 'replace', path: 'active', value: false });
        assert.deepEqual(await find(scim, 'Users', `userName eq "renamed@${domain}" and active eq false`), [
          id,
        ]);
        await change({ op: 'replace', path: 'active', value: true });
      },
      'patch: add, replace and remove the manager': async () => {
        const path = `${schemas.enterprise}:manager`;
        assert.equal(
          (await change({ op: 'add', path, value: 'm1' }))[schemas.enterprise].manager.value,
          'm1',
        );
        const replaced = await change({ op: 'replace', path, value: { value: 'm2' } });
        assert.equal(replaced[schemas.enterprise].manager.value, 'm2');
        assert.equal((await change({ op: 'remove', path }))[schemas.enterprise].manager, undefined);
      },
      'patch a user who does not exist': async () => {
        assert.equal((await scim.patch('/Users/none', { op: 'remove', path: 'title' })).status, 404);
      },
      'replace a user': async () => {
        const body = entraUser(`put@${domain}`, 'Put');
        const response = await scim.call(`PUT ${at}`, body);
        assert.deepEqual(
          [response.status, response.body.title, response.body.userName],
          [200, undefined, `put@${domain}`],
        );
      },
      'delete a user, and again': async () => {
        assert.deepEqual(
          [(await scim.call(`DELETE ${at}`)).status, (await scim.call(`DELETE ${at}`)).status],
          [204, 404],
        );
        assert.deepEqual(await find(scim, 'Users', `userName eq "put@${domain}"`), []);
      },
      'create the deleted user again': async () => {
        assert.equal((await scim.createUser('Put')).id, id, 'as the author of what the person made');
      },
    };
    for (const [name, run] of Object.entries(cases)) await context.test(name, run);
  });

  test('groups', async (context) => {
    const { scim } = await start();
    const { id: member } = await scim.createUser('Member');
    const { id } = await scim.createGroup('Display', [], { externalId: 'g' });
    const at = `/Groups/${id}`;
    const change = async (...operations: object[]) => {
      const response = await scim.patch(at, ...operations);
      assert.equal(response.status, 204, response.text);
      return (await scim.call(`GET ${at}`)).body;
    };
    const cases: Record<string, () => Promise<void>> = {
      'create a duplicate': async () => {
        const body = { schemas: [schemas.group], displayName: 'Display', externalId: 'g' };
        assert.equal((await scim.call('POST /Groups', body)).status, 409);
      },
      'filter with a different case, without members': async () => {
        const filter = encodeURIComponent('displayName eq "DISPLAY"');
        const { body } = await scim.call(`GET /Groups?excludedAttributes=members&filter=${filter}`);
        assert.deepEqual([body.totalResults, 'members' in body.Resources[0]], [1, false]);
      },
      'filter for a group that does not exist': async () => {
        assert.deepEqual(await find(scim, 'Groups', 'displayName eq "None"'), []);
      },
      'patch: rename': async () => {
        assert.equal(
          (await change({ op: 'Replace', path: 'displayName', value: 'Renamed' })).displayName,
          'Renamed',
        );
        const withoutPath = { op: 'replace', value: { displayName: 'Again', id } };
        assert.equal((await change(withoutPath)).displayName, 'Again');
      },
      'patch: add and remove a member': async () => {
        const added = await change({ op: 'Add', path: 'members', value: [{ $ref: null, value: member }] });
        assert.deepEqual(
          added.members.map(({ value }: { value: string }) => value),
          [member],
        );
        assert.deepEqual(await find(scim, 'Groups', `id eq "${id}" and members eq "${member}"`), [id]);
        const removed = await change({
          op: 'Remove',
          path: 'members',
          value: [{ $ref: null, value: member }],
        });
        assert.deepEqual(removed.members, []);
      },
      'replace a group': async () => {
        const body = { schemas: [schemas.group], displayName: 'Put', members: [{ value: member }] };
        const response = await scim.call(`PUT ${at}`, body);
        assert.deepEqual([response.status, response.body.members.length], [200, 1]);
      },
      'delete a group, and again': async () => {
        assert.deepEqual(
          [(await scim.call(`DELETE ${at}`)).status, (await scim.call(`DELETE ${at}`)).status],
          [204, 404],
        );
      },
    };
    for (const [name, run] of Object.entries(cases)) await context.test(name, run);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProvisioned, schemas } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('provisioning by SCIM in the dialects of Entra', (world) => {
  const start = () => createProvisioned(world);

  test('changes a person', async () => {
    const { organization, scim } = await start();
    const { id } = await scim.createUser('Bob');
    const patched = await scim.patch(
      `/Users/${id}`,
      { op: 'Add', path: 'title', value: 'Engineer' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `robert@${organization.domain}` },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'Columbus' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Analyst' },
      { op: 'Add', path: `${schemas.enterprise}:department`, value: 'Research' },
      { op: 'Add', path: `${schemas.enterprise}:manager`, value: 'boss' },
      {
        op: 'replace',
        value: { 'name.givenName': 'Robert', displayName: 'Robert', active: 'True', id: 'x' },
      },
      {
        op: 'add',
        value: { [`${schemas.enterprise}:costCenter`]: 'C1', [schemas.enterprise]: { division: 'D' } },
      },
    );
    assert.equal(patched.status, 200, patched.text);
    const { meta, ...attributes } = patched.body;
    assert.equal(meta.version, 'W/"2"');
    assert.deepEqual(attributes, {
      schemas: [schemas.user, schemas.enterprise],
      id,
      userName: `bob@${organization.domain}`,
      active: true,
      displayName: 'Robert',
      title: 'Engineer',
      emails: [{ primary: true, type: 'work', value: `robert@${organization.domain}` }],
      phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
      addresses: [{ type: 'work', formatted: 'Columbus' }],
      roles: [{ primary: true, value: 'Analyst' }],
      name: { formatted: 'Bob', familyName: 'Family', givenName: 'Robert' },
      [schemas.enterprise]: {
        department: 'Research',
        manager: { value: 'boss' },
        costCenter: 'C1',
        division: 'D',
      },
    });
    const removed = await scim.patch(
      `/Users/${id}`,
      { op: 'Remove', path: 'title' },
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"]' },
      { op: 'Remove', path: 'name.familyName' },
      { op: 'Remove', path: 'addresses', value: [{ value: 'none' }] },
      { op: 'Replace', path: `${schemas.enterprise}:department`, value: null },
    );
    const { title, phoneNumbers, name, addresses, [schemas.enterprise]: enterprise } = removed.body;
    assert.deepEqual(
      [title, phoneNumbers, name, addresses?.length, enterprise.department],
      [undefined, undefined, { formatted: 'Bob', givenName: 'Robert' }, 1, undefined],
    );
    const [member] = (await organization.members()).filter(({ userId }) => userId === id);
    assert.deepEqual([member?.email, member?.name], [`robert@${organization.domain}`, 'Robert']);
  });

  test('changes and finds the manager', async () => {
    const { scim } = await start();
    const { id } = await scim.createUser('Bob');
    const manager = (value: string) => [{ $ref: `/Users/${value}`, value }];
    for (const [value, operation] of [
      ['a', { op: 'Add', path: 'manager', value: manager('a') }],
      ['b', { op: 'Replace', path: `${schemas.enterprise}:manager`, value: manager('b') }],
      ['c', { op: 'replace', path: `${schemas.enterprise}.manager`, value: 'c' }],
      ['d', { op: 'replace', value: { manager: 'd' } }],
      ['e', { op: 'Add', path: `${schemas.enterprise}:manager`, value: 'e' }],
    ] as const) {
      const { status, body, text } = await scim.patch(`/Users/${id}`, operation);
      assert.equal(status, 200, text);
      assert.deepEqual(body[schemas.enterprise], { manager: { value } });
      const count = async (name: string, wanted: string) => {
        const filter = encodeURIComponent(`id eq "${id}" and ${name} eq "${wanted}"`);
        return (await scim.call(`GET /Users?filter=${filter}&attributes=id`)).body.totalResults;
      };
      for (const name of ['manager', 'manager.value', `${schemas.enterprise}:manager`])
        assert.deepEqual([await count(name, value), await count(name, 'z')], [1, 0], name);
    }
    const { body } = await scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'title', value: [{ value: 'Engineer' }] },
      { op: 'Replace', path: 'active', value: [{ value: 'True' }] },
      { op: 'Replace', path: 'nickName', value: ['Bobby'] },
      { op: 'Remove', path: 'manager' },
    );
    assert.deepEqual([body.title, body.nickName, body.active], ['Engineer', 'Bobby', true]);
    assert.equal(schemas.enterprise in body, false);
  });

  test('ignores unknown extensions, and deactivates the person in the same request', async () => {
    const { scim } = await start();
    const { id } = await scim.createUser('Bob');
    const extension = 'urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User';
    const { status, body, text } = await scim.patch(
      `/Users/${id}`,
      { op: 'Add', path: `${extension}:tag`, value: 'x' },
      { op: 'Replace', value: { [`${extension}:tag`]: 'y', [extension]: { tag: 'z' } } },
      { op: 'Remove', path: `${extension}:tag` },
      { op: 'Replace', path: `${extension}:active`, value: 'True' },
      { op: 'Add', path: `${schemas.enterprise}Custom:tag`, value: 'x' },
      { op: 'Replace', path: 'active', value: 'False' },
    );
    assert.deepEqual([status, body.active, extension in body], [200, false, false], text);
  });

  test('reads the requests of the collection of Microsoft’s reference code', async () => {
    const { scim } = await start();
    const { id, meta } = await scim.createUser('Bob');
    const ids = async (query: string) =>
      (await scim.call(`GET ${query}`)).body.Resources.map((user: { id: string }) => user.id);
    assert.deepEqual(await ids('/Users/?filter=DisplayName+eq+%22Bob%22'), [id]);
    assert.deepEqual(await ids('/Users/?filter=DisplayName+eq+%22Bill%22'), []);
    const [some] = (await scim.call('GET /Users?attributes=emails%5Btype+eq+%22work%22%5D')).body.Resources;
    assert.deepEqual(Object.keys(some).toSorted(), ['emails', 'id', 'meta', 'schemas']);
    const at = Date.parse(meta.lastModified);
    const inZone = (time: number) => new Date(time - 7 * 3_600_000).toISOString().replace('Z', '0000-07:00');
    const changed = (operator: string, time: number) =>
      ids(
        `/Users?filter=${encodeURIComponent(`(ActiVe eq true) and meta.lastmodified ${operator} "${inZone(time)}"`)}`,
      );
    assert.deepEqual(await changed('ge', at), [id]);
    assert.deepEqual(await changed('le', at), [id]);
    assert.deepEqual(await changed('gt', at), []);
    assert.deepEqual(await changed('lt', at + 1), [id]);
  });
});

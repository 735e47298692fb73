import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invite } from '../../../tests/support/organizations/calls.ts';
import { setPassword } from '../../../tests/support/organizations/passwords.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { disableAccount } from '../accounts/disabled-accounts.ts';
import { organizationDelete, organizationDeleted, organizationRestore } from './organization-deletion.ts';
import type { Command, CommandDependencies } from './command.ts';

const run = (command: Command, dependencies: CommandDependencies, values: Record<string, string>) => {
  assert.ok('run' in command);
  return command.run(dependencies, values);
};

const dependenciesOf = ({ database, clock, secretBox }: TestServer): CommandDependencies => ({
  database,
  clock,
  secretBox,
  publicUrl: '',
  readInput: async () => Buffer.alloc(0),
});

describeOnUsualEngine('the commands that delete organizations', (engine) => {
  test('delete, list and restore one, and refuse to restore one whose data is due', async (t) => {
    const server = await startTestServer(t, engine);
    const owner = await server.createPerson('Ada');
    const organization = await server.createOrganization(owner);
    const { database } = server;
    const dependencies = dependenciesOf(server);
    await run(organizationDelete, dependencies, { organization });
    assert.match((await run(organizationDeleted, dependencies, {})).text, new RegExp(organization));
    await run(organizationRestore, dependencies, { organization });
    assert.equal((await run(organizationDeleted, dependencies, {})).text, '');
    const path = `GET /api/organizations/${organization}`;
    assert.equal((await server.call(path, { as: owner })).status, 200);
    await run(organizationDelete, dependencies, { organization });
    await run(organizationDelete, dependencies, { organization, now: '' });
    await assert.rejects(run(organizationRestore, dependencies, { organization }), /is being deleted/);
    await database.write((transaction) =>
      transaction.execute('update deleted_organizations set purging = 1'),
    );
    await assert.rejects(run(organizationDelete, dependencies, { organization }), /already being deleted/);
  });

  test('restore one whose owners have deleted their accounts only with a new owner', async (t) => {
    const server = await startTestServer(t, engine);
    const owner = await server.createPerson('Ada');
    const organization = await server.createOrganization(owner);
    const viewer = await server.createMember(organization, 'viewer');
    const stranger = await server.createPerson('Eve');
    const { database, clock } = server;
    const dependencies = dependenciesOf(server);
    await run(organizationDelete, dependencies, { organization });
    const deleted = await server.call('POST /api/auth/delete-account', {
      as: owner,
      body: { email: owner.email, organizations: [] },
    });
    assert.equal(deleted.status, 204, deleted.text);
    await assert.rejects(run(organizationRestore, dependencies, { organization }), /Name a new owner/);
    const restoreFor = (as: Person) =>
      run(organizationRestore, dependencies, { organization, owner: as.email });
    await assert.rejects(restoreFor(owner), /no account/);
    await disableAccount(database, clock, stranger.id);
    await assert.rejects(restoreFor(stranger), /disabled/);
    const path = `/api/organizations/${organization}`;
    assert.equal((await server.call(`GET ${path}`, { as: viewer })).status, 404);
    await restoreFor(viewer);
    assert.equal((await server.call(`GET ${path}`, { as: viewer })).body.role, 'owner');
    const { items } = (await server.call(`GET ${path}/audit`, { as: viewer })).body;
    assert.deepEqual(
      items.slice(0, 2).map(({ action }: { action: string }) => action),
      ['member.role_changed', 'organization.restored'],
    );
  });

  test('give an organization to a former member by address, and to any other account only by ID', async (t) => {
    const server = await startTestServer(t, engine);
    const owner = await server.createPerson('Ada');
    await setPassword(server, owner, 'correct horse battery');
    const organization = await server.createOrganization(owner);
    const dependencies = dependenciesOf(server);
    await run(organizationDelete, dependencies, { organization });
    const deleted = await server.call('POST /api/auth/delete-account', {
      as: owner,
      body: { email: owner.email, organizations: [] },
    });
    assert.equal(deleted.status, 204, deleted.text);
    const eve = await server.createPerson('Eve');
    const { token } = await invite(server, eve, await server.createOrganization(eve), owner.email, 'viewer');
    const registered = await server.call('POST /api/invitations/sign-up', {
      body: { token, name: 'Ada', password: 'a password of Eve' },
    });
    const { id } = registered.body.user;
    const restoreFor = (named: string) =>
      run(organizationRestore, dependencies, { organization, owner: named });
    await assert.rejects(restoreFor(owner.email), {
      message: new RegExp(`was not a member .* ${id} \\(${owner.email}, created at 20`),
    });
    assert.match((await restoreFor(id)).text, new RegExp(`owner: ${id} \\(${owner.email}, created at 20`));
  });

  test('don’t give an organization to somebody who is suspended', async (t) => {
    const server = await startTestServer(t, engine);
    const owner = await server.createPerson('Ada');
    const organization = await server.createOrganization(owner);
    const suspended = await server.createPerson('Zoë');
    const deactivated = await server.createMember(organization, 'owner');
    const dependencies = dependenciesOf(server);
    const at = new Date(server.clock()).toISOString();
    await server.database.write(async (transaction) => {
      await transaction.execute(
        `insert into suspended_members (organization_id, user_id, role, created_at, suspended_at)
         values ('${organization}', '${suspended.id}', 'editor', '${at}', '${at}')`,
      );
      await transaction.execute(
        `insert into scim_users (organization_id, user_id, user_name, active, attributes, version, created_at, updated_at)
         values ('${organization}', '${deactivated.id}', 'one', 0, '{}', 1, '${at}', '${at}')`,
      );
    });
    await run(organizationDelete, dependencies, { organization });
    for (const named of [suspended.id, suspended.email, deactivated.id, deactivated.email])
      await assert.rejects(run(organizationRestore, dependencies, { organization, owner: named }), {
        message: /suspended the account/,
      });
  });

  test('find an organization by its ID, also if another one has that ID as its name', async (t) => {
    const server = await startTestServer(t, engine);
    const organization = await server.createOrganization(await server.createPerson('Ada'));
    const eve = await server.createPerson('Eve');
    const other = await server.createOrganization(eve);
    const renamed = await server.call(`PATCH /api/organizations/${other}`, {
      as: eve,
      body: { name: organization },
    });
    assert.equal(renamed.status, 200, renamed.text);
    const { text } = await run(organizationDelete, dependenciesOf(server), { organization });
    assert.ok(text.startsWith(`deleted: ${organization},`), text);
  });
});

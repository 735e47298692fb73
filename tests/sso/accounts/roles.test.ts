import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoleMapping } from '#contract/sso/policy.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';

const appRoles: RoleMapping[] = [
  { claim: 'roles', value: 'Dashboards.Admin', role: 'admin' },
  { claim: 'roles', value: 'Dashboards.Editor', role: 'editor' },
];
const toOwner: RoleMapping = { claim: 'roles', value: 'Dashboards.Owner', role: 'owner' };
const groups: RoleMapping[] = [
  { claim: 'groups', value: 'a2f7c6d0-0000-4000-8000-000000000001', role: 'editor' },
  { claim: 'groups', value: 'a2f7c6d0-0000-4000-8000-000000000002', role: 'admin' },
];

async function map(organization: SsoOrganization, roleMappings: RoleMapping[], defaultRole = 'viewer') {
  const response = await organization.putPolicy({ roleMappings, defaultRole });
  assert.equal(response.status, 200, response.text);
}

describeSignIns('the role that a directory gives', (world) => {
  const cases: [name: string, mappings: RoleMapping[], claims: Record<string, unknown>, role: string][] = [
    ['an app role', appRoles, { roles: ['Dashboards.Editor'] }, 'editor'],
    ['one app role as a text', appRoles, { roles: 'Dashboards.Admin' }, 'admin'],
    ['a group', groups, { groups: ['other', groups[0]?.value] }, 'editor'],
    ['the most powerful of several', appRoles, { roles: ['Dashboards.Editor', 'Dashboards.Admin'] }, 'admin'],
    [
      'the most powerful of both',
      [...appRoles, ...groups],
      { roles: ['Dashboards.Editor'], groups: [groups[1]?.value] },
      'admin',
    ],
    ['the default for no match', appRoles, { roles: ['Another.Role'] }, 'viewer'],
    ['the default for no claim', appRoles, {}, 'viewer'],
    ['nothing for another spelling', appRoles, { roles: ['dashboards.admin'] }, 'viewer'],
    ['nothing for a value in the other claim', appRoles, { groups: ['Dashboards.Admin'] }, 'viewer'],
    ['nothing for what is no text', appRoles, { roles: [{ value: 'Dashboards.Admin' }, 7, null] }, 'viewer'],
  ];
  test('comes from app roles and groups', async () => {
    const organization = await world.createOrganization();
    for (const [index, [name, mappings, claims, role]] of cases.entries()) {
      await map(organization, mappings);
      const person = await organization.enter(organization.addPerson(`Person${index}`, claims));
      assert.equal(await organization.roleOf(person), role, name);
    }
    await map(organization, appRoles, 'editor');
    const person = await organization.enter(organization.addPerson('Editor'));
    assert.equal(await organization.roleOf(person), 'editor');
  });

  test('is applied at each sign-in, up and down', async () => {
    const organization = await world.createOrganization();
    await map(organization, appRoles);
    const seen: unknown[] = [];
    for (const roles of [[], ['Dashboards.Admin'], ['Dashboards.Editor'], []]) {
      const bob = await organization.enter(organization.addPerson('Bob', { roles }));
      seen.push(await organization.roleOf(bob));
    }
    assert.deepEqual(seen, ['viewer', 'admin', 'editor', 'viewer']);
    const changes = await organization.audit('member.role_changed');
    assert.deepEqual(
      changes.map(({ details }) => [details['before'], details['after'], details['by']]),
      [
        ['viewer', 'admin', 'directory'],
        ['admin', 'editor', 'directory'],
        ['editor', 'viewer', 'directory'],
      ],
    );
  });

  test('never demotes the last owner', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const account = await organization.addAccount('Ada', 'owner');
    await map(organization, [...appRoles, toOwner]);
    const leave = `DELETE /api/organizations/${organization.id}/members/${organization.owner.id}`;
    assert.equal((await server.call(leave, { as: organization.owner })).status, 204);
    const roleOfAda = async () => {
      const { body } = await server.call(`GET /api/organizations/${organization.id}`, { as: account });
      return body.role;
    };
    await organization.enterAndLink(organization.addPerson('Ada'));
    assert.equal(await roleOfAda(), 'owner');
    await server.addMember(organization.id, await organization.addAccount('Second'), 'owner');
    await organization.enter(organization.addPerson('Ada'));
    assert.equal(await roleOfAda(), 'viewer');
  });

  test('never demotes an owner because of an admin’s mappings', async () => {
    const organization = await world.createOrganization();
    const ada = await organization.enter(organization.addPerson('Ada'));
    await world.server.addMember(organization.id, await organization.addAccount('Carol'), 'owner');
    await organization.setRole(ada, 'owner');
    const admin = await world.server.createMember(organization.id, 'admin');
    const mapped = await organization.putPolicy({ roleMappings: appRoles }, admin);
    assert.equal(mapped.status, 200, mapped.text);
    for (const roles of [[], ['Dashboards.Editor']]) {
      await organization.enter(organization.addPerson('Ada', { roles }));
      assert.equal(await organization.roleOf(ada), 'owner');
    }
    // If an owner maps claims to owner, the directory also demotes owners.
    await map(organization, [...appRoles, toOwner]);
    await organization.enter(organization.addPerson('Ada', { roles: ['Dashboards.Editor'] }));
    assert.equal(await organization.roleOf(ada), 'editor');
  });

  test('does not change if Entra leaves the groups out because there are too many', async () => {
    const organization = await world.createOrganization();
    await map(organization, [...groups, ...appRoles]);
    const editor = { groups: [groups[0]?.value] };
    const bob = await organization.enter(organization.addPerson('Bob', editor));
    assert.equal(await organization.roleOf(bob), 'editor');
    const overages = [
      {
        _claim_names: { groups: 'src1' },
        _claim_sources: { src1: { endpoint: `http://${world.entra.host}/never-called` } },
      },
      { hasgroups: true },
      { hasgroups: 'true' },
      { hasgroups: true, roles: ['Dashboards.Admin'] },
    ];
    for (const claims of overages) {
      await organization.enter(organization.addPerson('Bob', claims));
      assert.equal(await organization.roleOf(bob), 'editor', JSON.stringify(claims));
    }
    const carol = await organization.enter(organization.addPerson('Carol', { hasgroups: true }));
    assert.equal(await organization.roleOf(carol), 'viewer');
    await organization.enter(organization.addPerson('Bob'));
    assert.equal(await organization.roleOf(bob), 'viewer');
    // If no groups are mapped, it does not matter that they are missing.
    await map(organization, appRoles);
    await organization.enter(organization.addPerson('Bob', { hasgroups: true, roles: ['Dashboards.Admin'] }));
    assert.equal(await organization.roleOf(bob), 'admin');
  });

  test('does not change manually set roles without mappings', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob', { roles: ['Dashboards.Admin'] });
    const bob = await organization.enter(subject);
    await organization.setRole(bob, 'admin');
    await organization.putPolicy({ defaultRole: 'editor' });
    await organization.enter(subject);
    assert.equal(await organization.roleOf(bob), 'admin');
  });
});

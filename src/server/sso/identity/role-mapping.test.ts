import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RoleMapping } from '#contract/sso/policy.ts';
import { mapRole } from './role-mapping.ts';

const byRole = (value: string, role: RoleMapping['role']): RoleMapping => ({ claim: 'roles', value, role });
const byGroup = (value: string, role: RoleMapping['role']): RoleMapping => ({ claim: 'groups', value, role });

const roleOf = (roleMappings: RoleMapping[], claims: Record<string, unknown>) =>
  mapRole({ defaultRole: 'viewer', roleMappings }, claims).role;

const overages: Record<string, Record<string, unknown>> = {
  'names groups in _claim_names': {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://x' } },
  },
  'has hasgroups': { hasgroups: true },
  'has hasgroups as a text': { hasgroups: 'true' },
};

describe('a role from claims', () => {
  test('is undefined without mappings: the directory does not decide it', () => {
    const policy = { defaultRole: 'admin' as const, roleMappings: [] };
    assert.deepEqual(mapRole(policy, { roles: ['owner', 'admin'] }), { role: undefined, isOverage: false });
  });

  test('is that of the mapping whose claim and value match exactly', () => {
    const mappings = [byRole('Atrium.Editor', 'editor'), byGroup('6f0c2f0e', 'admin')];
    assert.equal(roleOf(mappings, { roles: ['Atrium.Editor'] }), 'editor');
    assert.equal(roleOf(mappings, { groups: ['x', '6f0c2f0e'] }), 'admin');
    const others = [
      { groups: ['Atrium.Editor'], roles: ['6f0c2f0e'] },
      { roles: ['atrium.editor', 'Atrium.Editor ', 'Atrium', 'Atrium.Editor.X'] },
      { wids: ['6f0c2f0e'], role: 'Atrium.Editor', Roles: ['Atrium.Editor'] },
    ];
    for (const claims of others) assert.equal(roleOf(mappings, claims), 'viewer', JSON.stringify(claims));
  });

  test('is the most powerful of several, whatever their order', () => {
    const mappings = [
      byRole('a', 'viewer'),
      byRole('b', 'admin'),
      byGroup('c', 'owner'),
      byRole('d', 'editor'),
    ];
    assert.equal(roleOf(mappings, { roles: ['a', 'd'] }), 'editor');
    assert.equal(roleOf(mappings.toReversed(), { roles: ['d', 'b', 'a'] }), 'admin');
    assert.equal(roleOf(mappings, { roles: ['a', 'b'], groups: ['c'] }), 'owner');
  });

  test('may be lower than the default', () => {
    const policy = { defaultRole: 'admin' as const, roleMappings: [byRole('a', 'viewer')] };
    assert.equal(mapRole(policy, { roles: ['a'] }).role, 'viewer');
  });

  test('is the default if none matches or the claim is missing', () => {
    const policy = { defaultRole: 'editor' as const, roleMappings: [byRole('a', 'admin')] };
    for (const claims of [{}, { roles: [] }, { roles: ['b'] }, { roles: null }, { groups: ['a'] }]) {
      assert.deepEqual(mapRole(policy, claims), { role: 'editor', isOverage: false });
    }
  });

  test('can be in a single text instead of a list, as AD FS sends it', () => {
    assert.equal(roleOf([byGroup('Domain Admins', 'admin')], { groups: 'Domain Admins' }), 'admin');
    assert.equal(roleOf([byGroup('Domain', 'admin')], { groups: 'Domain Admins' }), 'viewer');
  });

  test('is read only from texts', () => {
    const mappings = [byRole('1', 'admin'), byRole('[object Object]', 'admin'), byRole('true', 'admin')];
    for (const roles of [1, [1], {}, [{}], true, [true], [['1']], { 0: '1', length: 1 }, null]) {
      assert.equal(roleOf(mappings, { roles }), 'viewer', JSON.stringify(roles));
    }
  });
});

describe('group overage', () => {
  for (const [how, claims] of Object.entries(overages)) {
    test(`that Entra ${how} changes nothing if groups are mapped`, () => {
      const policy = { defaultRole: 'viewer' as const, roleMappings: [byGroup('g', 'admin')] };
      assert.deepEqual(mapRole(policy, claims), { role: undefined, isOverage: true });
    });

    test(`that Entra ${how} changes nothing if groups and app roles are mapped`, () => {
      const roleMappings = [byGroup('g', 'admin'), byRole('r', 'editor')];
      const withRole = { ...claims, roles: ['r'] };
      assert.deepEqual(mapRole({ defaultRole: 'viewer', roleMappings }, withRole), {
        role: undefined,
        isOverage: true,
      });
    });

    test(`that Entra ${how} does not matter if only app roles are mapped`, () => {
      const policy = { defaultRole: 'viewer' as const, roleMappings: [byRole('r', 'editor')] };
      assert.deepEqual(mapRole(policy, { ...claims, roles: ['r'] }), { role: 'editor', isOverage: true });
      assert.deepEqual(mapRole(policy, claims), { role: 'viewer', isOverage: true });
    });
  }

  test('is not detected by anything else', () => {
    const others = [
      { groups: [] },
      { groups: Array.from({ length: 200 }, String) },
      { _claim_names: { roles: 'src1' } },
      { _claim_names: 'groups' },
      { _claim_names: ['groups'] },
      { _claim_names: null },
      { _claim_names: Object.create({ groups: 'src1' }) },
      { hasgroups: false },
      { hasgroups: 'false' },
    ];
    for (const claims of others) {
      const mapped = mapRole({ defaultRole: 'viewer', roleMappings: [byGroup('g', 'admin')] }, claims);
      assert.deepEqual(mapped, { role: 'viewer', isOverage: false }, JSON.stringify(claims));
    }
  });
});

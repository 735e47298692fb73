import type { SsoPolicy } from '#contract/sso/policy.ts';
import { roles, type Role } from '#shared/permissions.ts';
import type { Clock } from '../../base/clock.ts';
import { listGroupsHeld } from '../../organizations/groups/groups.ts';
import { applyRole } from '../../organizations/members.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';
import { findFirstConfiguration, type StoredSsoConfiguration } from '../configuration/store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { mapRole } from '../identity/role-mapping.ts';
import { selectRolesOfOthers, updateRoleOfUsers } from '../identity/store.ts';

/** The directory that provisions people: the first one of the organization. */
export interface ProvisioningDirectory {
  readonly configuration: StoredSsoConfiguration;
  readonly provenDomains: readonly string[];
}

/** Returns the directory that provisions the people of an organization, or undefined if none is configured. */
export async function findProvisioningDirectory(
  reader: Reader,
  organizationId: string,
): Promise<ProvisioningDirectory | undefined> {
  const configuration = await findFirstConfiguration(reader, organizationId);
  if (configuration === undefined) return undefined;
  return { configuration, provenDomains: await findProvenDomains(reader, configuration) };
}

/**
 * Whether the mappings of a configuration give a role by one of these groups, and all by groups only, without app roles, which only
 * a sign-in knows.
 */
export async function rolesDependOn(
  reader: Reader,
  configuration: StoredSsoConfiguration,
  groups: readonly string[],
): Promise<boolean> {
  const policy = await getStoredSsoPolicy(reader, configuration);
  return hasOnlyGroups(policy) && policy.roleMappings.some(({ value }) => groups.includes(value));
}

const hasOnlyGroups = ({ roleMappings }: Pick<SsoPolicy, 'roleMappings'>): boolean =>
  roleMappings.length > 0 && roleMappings.every(({ claim }) => claim === 'groups');

/** A person, and the present role as a member; undefined for a new one. */
interface RoleOfPerson {
  readonly userId: string;
  readonly current: Role | undefined;
}

/** How many people one query reads. */
const batchSize = 500;

/**
 * Gives people the roles that the mappings of groups give, as new members or instead of the present ones. It neither makes nor demotes
 * owners. Where app roles are mapped, which only a sign-in knows, members keep their role until then.
 */
export async function applyProvisionedRoles(
  transaction: Transaction,
  clock: Clock,
  configuration: StoredSsoConfiguration,
  people: readonly RoleOfPerson[],
): Promise<void> {
  const { organizationId, id: configurationId } = configuration;
  const policy = await getStoredSsoPolicy(transaction, configuration);
  const changeable = people.filter(
    ({ current }) => current !== 'owner' && (current === undefined || hasOnlyGroups(policy)),
  );
  for (let start = 0; start < changeable.length; start += batchSize) {
    const batch = changeable.slice(start, start + batchSize);
    const userIds = batch.map(({ userId }) => userId);
    const groupIds = policy.roleMappings.map(({ value }) => value);
    const groups = await listGroupsHeld(transaction, { organizationId, userIds, groupIds });
    const others = Map.groupBy(
      await selectRolesOfOthers(transaction, { organizationId, configurationId, userIds }),
      ({ userId }) => userId,
    );
    const mappedUsers = new Map<Role, string[]>();
    for (const { userId, current } of batch) {
      await transaction.giveWay();
      const mapped = mapRole(policy, {}, groups.get(userId)).role;
      // An owner through another directory signs in there to be one again.
      const ofOthers = others.get(userId)?.map(({ role }) => (role === 'owner' ? 'admin' : role)) ?? [];
      const given: Role | undefined =
        mapped && roles.find((candidate) => candidate === mapped || ofOthers.includes(candidate));
      const role = given ?? current ?? policy.defaultRole;
      if (role !== current) await applyRole(transaction, clock, { organizationId, userId, role });
      if (mapped !== undefined) mappedUsers.getOrInsertComputed(mapped, () => []).push(userId);
    }
    for (const [role, ofRole] of mappedUsers)
      await updateRoleOfUsers(transaction, { configurationId, userIds: ofRole, role });
  }
}

import type { SsoPolicy } from '#contract/sso/policy.ts';
import { roles, type Role } from '#shared/permissions.ts';
import type { Clock } from '../../base/clock.ts';
import { listGroupsOfMember } from '../../organizations/groups/groups.ts';
import { applyRole, findRoleOf } from '../../organizations/members.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';
import { findFirstConfiguration, type StoredSsoConfiguration } from '../configuration/store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { mapRole } from '../identity/role-mapping.ts';
import { selectRolesOfOthers, updateRoleOfUser } from '../identity/store.ts';

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

/**
 * Gives a person the role that the mappings of groups give, as a new member or instead of the present one. It neither makes nor
 * demotes an owner. Where app roles are mapped, which only a sign-in knows, members keep their role until then.
 */
export async function applyProvisionedRole(
  transaction: Transaction,
  clock: Clock,
  configuration: StoredSsoConfiguration,
  userId: string,
): Promise<void> {
  const { organizationId, id: configurationId } = configuration;
  const current = await findRoleOf(transaction, organizationId, userId);
  if (current === 'owner') return;
  const policy = await getStoredSsoPolicy(transaction, configuration);
  if (current !== undefined && !hasOnlyGroups(policy)) return;
  const groups = await listGroupsOfMember(transaction, { organizationId, userId });
  const mapped = mapRole(policy, {}, groups).role;
  const others = await selectRolesOfOthers(transaction, { organizationId, configurationId, userId });
  // An owner through another directory signs in there to be one again.
  const ofOthers = others.map(({ role }) => (role === 'owner' ? 'admin' : role));
  const role: Role | undefined =
    mapped && roles.find((given) => given === mapped || ofOthers.includes(given));
  await applyRole(transaction, clock, {
    organizationId,
    userId,
    role: role ?? current ?? policy.defaultRole,
  });
  if (mapped !== undefined) await updateRoleOfUser(transaction, { configurationId, userId }, mapped);
}

import { roles, type Role } from '#shared/permissions.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';

/** The role that the claims of an identity map to. */
export interface MappedRole {
  /** The mapped role. If undefined, a member keeps the current role and a new one gets the default. */
  readonly role: Role | undefined;
  /** Whether the provider left the groups out because there are too many. */
  readonly isOverage: boolean;
}

/**
 * Returns the most powerful role whose mapping matches a claim, or the default role. Without mappings, the directory
 * does not decide roles. If groups are mapped and Entra leaves them out (more than 200, "group overage"), that does not
 * count as "no groups": the role does not change. The endpoint that the token then names is never called. `provisioned` are groups
 * by SCIM, which count as those of the token, except that they never make an owner, but an admin.
 */
export function mapRole(
  policy: Pick<SsoPolicy, 'defaultRole' | 'roleMappings'>,
  claims: Readonly<Record<string, unknown>>,
  provisioned: readonly string[] = [],
): MappedRole {
  const isOverage = hasGroupOverage(claims);
  const { roleMappings, defaultRole } = policy;
  if (roleMappings.length === 0) return { role: undefined, isOverage };
  const held = { roles: textsOf(claims['roles']), groups: textsOf(claims['groups']) };
  const matched = roleMappings.flatMap(({ claim, value, role }): Role[] => {
    if (held[claim].includes(value)) return [role];
    if (claim !== 'groups' || !provisioned.includes(value)) return [];
    return [role === 'owner' ? 'admin' : role];
  });
  if (isOverage && roleMappings.some(({ claim }) => claim === 'groups'))
    return { role: undefined, isOverage };
  return { role: roles.find((role) => matched.includes(role)) ?? defaultRole, isOverage };
}

/** The membership of a person before the sign-in. */
export interface CurrentMembership {
  /** The current role; undefined if the person is not a member yet. */
  readonly current: Role | undefined;
  readonly isLastOwner: boolean;
  /** Whether an owner chose the identity provider. */
  readonly ownerApproved: boolean;
  /** The roles that the mappings of other directories of the organization gave. */
  readonly ofOthers: readonly Role[];
  /** The groups that the directory has provisioned. */
  readonly provisioned?: readonly string[];
}

/**
 * Returns the role that a sign-in gives, and the one that the mappings give by themselves, if they give one. A provider that no
 * owner approved neither makes nor demotes an owner, and the last owner is never demoted. A policy that does not map to owner does
 * not demote owners either: an admin could write one, and admins can't demote owners. A role that another directory gave is not
 * reduced.
 */
export function resultingRole(
  policy: Pick<SsoPolicy, 'defaultRole' | 'roleMappings'>,
  claims: Readonly<Record<string, unknown>>,
  { current, isLastOwner, ownerApproved, ofOthers, provisioned = [] }: CurrentMembership,
): { role: Role; mapped: Role | undefined } {
  const ownersAreMapped = policy.roleMappings.some(({ role }) => role === 'owner');
  const claimed = mapRole(policy, claims, provisioned).role;
  const mapped = claimed === 'owner' && !ownerApproved ? 'admin' : claimed;
  if (current === 'owner' && (isLastOwner || !ownerApproved || !ownersAreMapped))
    return { role: current, mapped };
  const given = mapped && roles.find((role) => role === mapped || ofOthers.includes(role));
  return { role: given ?? current ?? policy.defaultRole, mapped };
}

/** Returns the groups of a person, or undefined if the provider left them out because there are too many. */
export const readGroups = (claims: Readonly<Record<string, unknown>>): readonly string[] | undefined =>
  hasGroupOverage(claims) ? undefined : textsOf(claims['groups']);

/** Entra names the claim in `_claim_names` (code flow) or sets `hasgroups` (implicit flow). */
function hasGroupOverage(claims: Readonly<Record<string, unknown>>): boolean {
  const names = claims['_claim_names'];
  const isNamed = typeof names === 'object' && names !== null && Object.hasOwn(names, 'groups');
  return isNamed || claims['hasgroups'] === true || claims['hasgroups'] === 'true';
}

/** AD FS sends a single value as a text instead of a list. */
const textsOf = (claim: unknown): string[] => [claim].flat().filter((value) => typeof value === 'string');

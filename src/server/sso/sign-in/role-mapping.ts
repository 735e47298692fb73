import { roles, type Role } from '#shared/permissions.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';

/** What the claims of an identity say about its role. */
export interface MappedRole {
  /** The role to have; undefined: the one that the member has stays, and a new member gets the default. */
  readonly role: Role | undefined;
  /** Whether the provider left the groups out because there are too many. */
  readonly isOverage: boolean;
}

/**
 * Returns the most powerful role whose mapping matches a claim, else the default role. Without mappings the directory
 * does not decide roles. When groups decide and Entra leaves them out (past 200, "group overage"), that is not read as
 * "no groups": nothing changes. The endpoint that the token then names is never called.
 */
export function mapRole(
  policy: Pick<SsoPolicy, 'defaultRole' | 'roleMappings'>,
  claims: Readonly<Record<string, unknown>>,
): MappedRole {
  const isOverage = hasGroupOverage(claims);
  const { roleMappings, defaultRole } = policy;
  if (roleMappings.length === 0) return { role: undefined, isOverage };
  const held = { roles: textsOf(claims['roles']), groups: textsOf(claims['groups']) };
  const matched = roleMappings
    .filter(({ claim, value }) => held[claim].includes(value))
    .map(({ role }) => role);
  if (isOverage && roleMappings.some(({ claim }) => claim === 'groups'))
    return { role: undefined, isOverage };
  return { role: roles.find((role) => matched.includes(role)) ?? defaultRole, isOverage };
}

/** How somebody stands who signs in, before the directory says anything. */
export interface Standing {
  /** The role there is; undefined: no member yet. */
  readonly present: Role | undefined;
  readonly isLastOwner: boolean;
  /** Whether an owner chose the identity provider. */
  readonly ownerApproved: boolean;
}

/**
 * Returns the role that a sign-in gives. A provider that no owner has chosen neither makes an owner nor unmakes one, and
 * nothing unmakes the last. Nor does a policy that maps nobody to owner: an admin may write one, who unmakes no owner.
 */
export function resultingRole(
  policy: Pick<SsoPolicy, 'defaultRole' | 'roleMappings'>,
  claims: Readonly<Record<string, unknown>>,
  { present, isLastOwner, ownerApproved }: Standing,
): Role {
  const ownersAreMapped = policy.roleMappings.some(({ role }) => role === 'owner');
  if (present === 'owner' && (isLastOwner || !ownerApproved || !ownersAreMapped)) return present;
  const claimed = mapRole(policy, claims).role;
  const mapped = claimed === 'owner' && !ownerApproved ? 'admin' : claimed;
  return mapped ?? present ?? policy.defaultRole;
}

/** Entra names the claim in `_claim_names` (code flow) or sets `hasgroups` (implicit flow). */
function hasGroupOverage(claims: Readonly<Record<string, unknown>>): boolean {
  const names = claims['_claim_names'];
  const isNamed = typeof names === 'object' && names !== null && Object.hasOwn(names, 'groups');
  return isNamed || claims['hasgroups'] === true || claims['hasgroups'] === 'true';
}

/** AD FS sends a single value as a text instead of a list. */
const textsOf = (claim: unknown): string[] => [claim].flat().filter((value) => typeof value === 'string');

/** Whose something is: an organization's, or a person's own, outside of organizations. */
export type Tenant =
  | { readonly kind: 'organization'; readonly organizationId: string }
  | { readonly kind: 'personal'; readonly userId: string };

declare const isLimitKey: unique symbol;

/**
 * By which a limit counts. Only the functions below return one, so that nothing that is limited has no key: what belongs to no organization
 * counts for its person.
 */
export type LimitKey = string & { readonly [isLimitKey]: true };

/** Returns whose a record is, or a credential that may use everything of a person. */
export const tenantOf = ({
  organizationId,
  userId,
}: {
  readonly organizationId: string | undefined;
  readonly userId: string;
}): Tenant =>
  organizationId === undefined ? { kind: 'personal', userId } : { kind: 'organization', organizationId };

export const keyOfOrganization = (organizationId: string): LimitKey =>
  `organization ${organizationId}` as LimitKey;

/** Returns the key of everything that a person does, and of what is theirs outside of organizations. */
export const keyOfPerson = (userId: string): LimitKey => `person ${userId}` as LimitKey;

/** Returns the key of a wall display, whose link may be known to others than the person who created it. */
export const keyOfDisplay = (linkId: string): LimitKey => `display ${linkId}` as LimitKey;

/** Returns the key of what a person or service account does in one organization, or outside of organizations. */
export const keyOfAccount = (tenant: Tenant, userId: string): LimitKey =>
  `${keyOfTenant(tenant)} account ${userId}` as LimitKey;

export const keyOfTenant = (tenant: Tenant): LimitKey =>
  tenant.kind === 'organization' ? keyOfOrganization(tenant.organizationId) : keyOfPerson(tenant.userId);

const key = 'atrium:organization';

/** Returns the organization that was opened last in this browser. */
export const lastOrganization = (): string | undefined => localStorage.getItem(key) ?? undefined;

export const storeLastOrganization = (orgId: string): void => localStorage.setItem(key, orgId);

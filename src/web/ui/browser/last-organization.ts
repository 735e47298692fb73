const key = 'atrium:organization';

/** The organization that was looked at last on this machine. */
export const lastOrganization = (): string | undefined => localStorage.getItem(key) ?? undefined;

export const keepLastOrganization = (orgId: string): void => localStorage.setItem(key, orgId);

const key = 'atrium:organization';
const logoKey = 'atrium:organization-logo';

/** Returns the organization that was opened last in this browser. */
export const lastOrganization = (): string | undefined => localStorage.getItem(key) ?? undefined;

export const storeLastOrganization = (orgId: string): void => localStorage.setItem(key, orgId);

/** Returns the ID of the logo of the organization that was opened last in this browser, until the person signs out. */
export const lastLogo = (): string | undefined => localStorage.getItem(logoKey) ?? undefined;

export function storeLastLogo(logoId: string | undefined): void {
  if (logoId === undefined) localStorage.removeItem(logoKey);
  else localStorage.setItem(logoKey, logoId);
}

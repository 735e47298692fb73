/** `idp_ad` is the first configuration's, which is Entra with a tenant and AD FS without. */
const ofActiveDirectory: ReadonlySet<string> = new Set(['idp_ad', 'entra', 'adfs']);

/** Whether a provider has accounts of Active Directory, whose administrators set the addresses. */
export const isActiveDirectory = (provider: string): boolean => ofActiveDirectory.has(provider);

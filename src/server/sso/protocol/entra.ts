const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isTenantGuid = (tenantId: string): boolean => guid.test(tenantId);

/** Names that mean any tenant, and the tenant of personal accounts, which anyone can create. */
const sharedTenants: ReadonlySet<string> = new Set([
  'common',
  'organizations',
  'consumers',
  '9188040d-6c67-4c5b-b112-36a304b66dad',
]);

/** Whether people from any organization can sign in to a tenant. */
export const isSharedTenant = (tenantId: string): boolean => sharedTenants.has(tenantId.toLowerCase());

/** The hosts of Entra ID, of its sovereign clouds, and of Entra External ID and B2C, with all hosts below them. */
const entraHosts = [
  'microsoftonline.com',
  'microsoftonline.us',
  'microsoftonline.cn',
  'microsoftonline.de',
  'login.microsoft.com',
  'login.live.com',
  'login.windows.net',
  'sts.windows.net',
  'chinacloudapi.cn',
  'b2clogin.com',
  'ciamlogin.com',
];

/**
 * Whether a discovery URL belongs to Entra ID: by its host, or by the form of Entra's URLs, which also covers a custom
 * domain and the authority of the setting ATRIUM_SSO_ENTRA_AUTHORITY.
 */
export function isEntraUrl(discoveryUrl: string): boolean {
  const url = URL.parse(discoveryUrl);
  if (url === null) return false;
  const host = url.hostname.replace(/\.$/, '');
  if (entraHosts.some((known) => host === known || host.endsWith(`.${known}`))) return true;
  const segments = url.pathname.split('/');
  return segments.includes('v2.0') && segments.some((each) => isTenantGuid(each) || isSharedTenant(each));
}

/** The URL of the discovery document (OpenID Connect Discovery 1.0, section 4) of a tenant of Microsoft Entra ID. */
export function derivedDiscoveryUrl(authority: string, tenantId = 'organizations'): string {
  return `${authority}/${encodeURIComponent(tenantId)}/v2.0/.well-known/openid-configuration`;
}

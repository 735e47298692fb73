import type { SsoConfiguration, SsoConfigurationInput } from '#contract/sso/configuration.ts';

/** The two products that an Active Directory signs in by. */
export type DirectoryKind = 'entra' | 'adfs';

/** What names Atrium at a directory, as it is typed: everything but the secret. */
export interface Connection {
  readonly kind: DirectoryKind;
  readonly tenantId: string;
  readonly clientId: string;
  /** Empty for Entra: it is derived from the tenant. */
  readonly discoveryUrl: string;
}

/** The members of a configuration that say where people sign in. */
type Where = Pick<SsoConfiguration, 'tenantId' | 'clientId' | 'discoveryUrl'>;

const wellKnown = '/.well-known/openid-configuration';

/** Whether the server derives the discovery address from the tenant, or would to the same end. */
const isDerived = ({ tenantId = 'organizations', discoveryUrl }: Where): boolean =>
  discoveryUrl.endsWith(`/${encodeURIComponent(tenantId)}/v2.0${wellKnown}`);

/** Returns what a stored configuration says, as the form has it. */
export function connectionOf(stored: Where | undefined): Connection {
  if (stored === undefined) return { kind: 'entra', tenantId: '', clientId: '', discoveryUrl: '' };
  const { tenantId, clientId, discoveryUrl } = stored;
  return {
    kind: tenantId !== undefined || isDerived(stored) ? 'entra' : 'adfs',
    tenantId: tenantId ?? '',
    clientId,
    discoveryUrl: isDerived(stored) ? '' : discoveryUrl,
  };
}

/** Returns the address of the discovery document of an AD FS, of which people often give the host alone. */
export function discoveryAddress(typed: string): string {
  const text = typed.trim();
  if (text === '' || text.includes('/.well-known/')) return text;
  const origin = text.replace(/(?<!\/)\/+(adfs\/*)?$/i, '');
  return `${origin.includes('://') ? origin : `https://${origin}`}/adfs${wellKnown}`;
}

/** Returns the part of a configuration that a connection stands for. */
export function toWhere({
  kind,
  tenantId,
  clientId,
  discoveryUrl,
}: Connection): Omit<Where, 'discoveryUrl'> & { discoveryUrl?: string } {
  const address = discoveryAddress(discoveryUrl);
  return {
    clientId: clientId.trim(),
    ...(kind === 'entra' && tenantId.trim() !== '' && { tenantId: tenantId.trim() }),
    ...(address !== '' && { discoveryUrl: address }),
  };
}

/** Returns the body that stores a configuration as it is but for some members. */
export function bodyOf(
  stored: SsoConfiguration,
  changes: Partial<Pick<SsoConfigurationInput, 'emailDomains' | 'enabled'>> = {},
): SsoConfigurationInput {
  const { emailDomains, enabled } = stored;
  return { provider: 'idp_ad', ...toWhere(connectionOf(stored)), emailDomains, enabled, ...changes };
}

/** Whether a connection leads elsewhere than what is stored: then the secret is dropped, and sign-ins end. */
export function isMoved(stored: SsoConfiguration, connection: Connection): boolean {
  const { tenantId, clientId, discoveryUrl } = toWhere(connection);
  return (
    tenantId !== stored.tenantId ||
    clientId !== stored.clientId ||
    (discoveryUrl === undefined ? !isDerived(stored) : discoveryUrl !== stored.discoveryUrl)
  );
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns what is probably wrong with a tenant that was typed, or undefined. */
export function doubtOfTenant(typed: string): string | undefined {
  const text = typed.trim();
  return text === '' || guid.test(text)
    ? undefined
    : 'The tenant ID must be a GUID. Copy the Directory (tenant) ID from the Overview, not a name such as contoso.onmicrosoft.com.';
}

/** Returns what is probably wrong with a secret of Entra that was pasted, or undefined. */
export const doubtOfSecret = (kind: DirectoryKind, typed: string): string | undefined =>
  kind === 'entra' && guid.test(typed.trim())
    ? 'This looks like the Secret ID. Paste the Value next to it, which is shown only when the secret is created.'
    : undefined;

/** Returns the domain that was typed, also when it was a whole email address. */
export const typedDomain = (text: string): string =>
  text
    .trim()
    .replace(/^.*@/, '')
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '')
    .toLowerCase();

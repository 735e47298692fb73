import type { SsoConfiguration, SsoConfigurationInput } from '#contract/sso/configuration.ts';
import type { SsoConnection, SsoConnectionInput } from '#contract/sso/connections.ts';
import { isIdentityProvider, type IdentityProvider } from '#shared/identity-providers.ts';
import { t } from '#shared/language/messages.ts';

/** The provider of a directory. The first one of an organization is an Active Directory: `entra` or `adfs`. */
export type DirectoryKind = IdentityProvider;

/** What is stored about the first directory, or about one beside it. */
export type StoredDirectory = SsoConfiguration | SsoConnection;

/** What stores it. */
export type DirectoryBody = SsoConfigurationInput | SsoConnectionInput;

/** How Atrium is registered at a directory, as entered in the form, without the secret. */
export interface Connection {
  readonly kind: DirectoryKind;
  readonly tenantId: string;
  readonly clientId: string;
  /** Empty for Entra: it is derived from the tenant. */
  readonly discoveryUrl: string;
}

/** The part of a configuration that decides where people sign in. */
type Where = Pick<SsoConfiguration, 'tenantId' | 'clientId' | 'discoveryUrl'> & {
  readonly provider?: string;
};

const wellKnown = '/.well-known/openid-configuration';

/** Whether the discovery URL is the one that the server derives from the tenant. */
const isDerived = ({ tenantId = 'organizations', discoveryUrl }: Where): boolean =>
  discoveryUrl.endsWith(`/${encodeURIComponent(tenantId)}/v2.0${wellKnown}`);

/** Returns the values of the form for a stored configuration. */
export function connectionOf(stored: Where | undefined): Connection {
  if (stored === undefined) return { kind: 'entra', tenantId: '', clientId: '', discoveryUrl: '' };
  const { tenantId, clientId, discoveryUrl } = stored;
  return {
    kind: kindOf(stored),
    tenantId: tenantId ?? '',
    clientId,
    discoveryUrl: isDerived(stored) ? '' : discoveryUrl,
  };
}

/** The provider of the first directory follows from its tenant. */
const kindOf = (stored: Where): DirectoryKind => {
  if (isIdentityProvider(stored.provider)) return stored.provider;
  return stored.tenantId !== undefined || isDerived(stored) ? 'entra' : 'adfs';
};

/** Google's only issuer. */
const googleAddress = `https://accounts.google.com${wellKnown}`;

/**
 * Returns the discovery URL of a directory. People often enter only the host of AD FS or Okta, or the issuer without the rest.
 */
export function discoveryAddress(typed: string, kind: DirectoryKind = 'adfs'): string {
  if (kind === 'google') return googleAddress;
  const text = typed.trim();
  if (text === '' || text.includes('/.well-known/')) return text;
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url === null) return text;
  return kind === 'adfs' ? `${url.origin}/adfs${wellKnown}` : url.href.replace(/\/$/, '') + wellKnown;
}

/** Returns the part of a configuration for the values of the form. */
export function toWhere({
  kind,
  tenantId,
  clientId,
  discoveryUrl,
}: Connection): Omit<Where, 'discoveryUrl'> & { discoveryUrl?: string } {
  const address = discoveryAddress(discoveryUrl, kind);
  return {
    clientId: clientId.trim(),
    ...(kind === 'entra' && tenantId.trim() !== '' && { tenantId: tenantId.trim() }),
    ...(address !== '' && { discoveryUrl: address }),
  };
}

/** Returns the body that stores a configuration with some changes. */
export function bodyOf(
  stored: StoredDirectory,
  changes: Partial<Pick<SsoConfigurationInput, 'emailDomains' | 'enabled'>> = {},
): DirectoryBody {
  const { emailDomains, enabled } = stored;
  const connection = connectionOf(stored);
  return toBody(stored, connection.kind, { ...toWhere(connection), emailDomains, enabled, ...changes });
}

/** Returns a body with the provider and, except for the first directory, the name. */
export function toBody(
  stored: StoredDirectory | undefined,
  provider: DirectoryKind,
  fields: Omit<SsoConfigurationInput, 'provider'>,
): DirectoryBody {
  if (stored === undefined || !('isFirst' in stored) || stored.isFirst)
    return { ...fields, provider: 'idp_ad' };
  return { ...fields, name: stored.name ?? '', provider };
}

/** Whether people would sign in elsewhere than before. The server then deletes the secret and ends sessions. */
export function isMoved(stored: StoredDirectory, connection: Connection): boolean {
  const { tenantId, clientId, discoveryUrl } = toWhere(connection);
  return (
    ('isFirst' in stored && connection.kind !== stored.provider) ||
    tenantId !== stored.tenantId ||
    clientId !== stored.clientId ||
    (discoveryUrl === undefined ? !isDerived(stored) : discoveryUrl !== stored.discoveryUrl)
  );
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns why a tenant ID can't be saved on the page, or undefined. The API also accepts other names of a tenant. */
export function tenantFault(typed: string): string | undefined {
  const text = typed.trim();
  return text === '' || guid.test(text)
    ? undefined
    : t(
        'The tenant ID must be a GUID. Copy the Directory (tenant) ID from the Overview, not a name such as contoso.onmicrosoft.com.',
      );
}

/** Returns a warning about a secret that is probably wrong, or undefined. */
export const secretWarning = (kind: DirectoryKind, typed: string): string | undefined =>
  kind === 'entra' && guid.test(typed.trim())
    ? t(
        'This looks like the Secret ID. Paste the Value next to it, which is shown only when the secret is created.',
      )
    : undefined;

/** Returns the entered domain, even if a whole email address or URL was entered. */
export const typedDomain = (text: string): string =>
  text
    .trim()
    .replace(/^.*@/, '')
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '')
    .toLowerCase();

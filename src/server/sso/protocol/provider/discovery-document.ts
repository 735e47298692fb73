import type { ServerMetadata } from 'openid-client';
import type { Outgoing } from '../../../outgoing/outgoing.ts';
import type { RelyingParty } from '../relying-party.ts';
import { SignInRefusal } from '../sign-in-refusal.ts';

/** The facts of a discovery document that a sign-in relies on. */
export interface DiscoveryFacts {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly endSessionEndpoint?: string;
}

const wellKnown = '/.well-known/openid-configuration';

/**
 * Reads and checks the discovery document (OpenID Connect Discovery 1.0, section 4.3): its issuer must match the URL
 * that it was read from. That is stricter than the library for `login.microsoftonline.com`, whose multi-tenant
 * documents name a template.
 */
export async function readDiscoveryDocument(
  outgoing: Outgoing,
  party: RelyingParty,
): Promise<ServerMetadata> {
  const isHidden = outgoing.isPrivate(party.discoveryUrl, party.organizationId);
  const shown = (value: unknown) => (isHidden ? 'that is not shown' : shownValue(value));
  const document = await readDocument(outgoing, party, { isHidden });
  const { issuer } = document;
  if (typeof issuer !== 'string' || !isIssuerOf(issuer, party)) {
    throw new SignInRefusal('issuer_mismatch', {
      message: `The discovery document names the issuer ${shown(issuer)}, which does not match its URL.`,
      remedy: 'Use the exact discovery URL of one tenant, not of “common” or “organizations”.',
    });
  }
  const { tenantId } = party;
  if (tenantId !== undefined && !new URL(issuer).pathname.split('/').includes(tenantId.toLowerCase())) {
    throw new SignInRefusal('issuer_mismatch', {
      message: `The issuer ${shown(issuer)} does not belong to the tenant in the configuration.`,
      remedy: 'Correct the tenant or the discovery URL.',
    });
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = urlOf(document[name]);
    if (url?.protocol !== new URL(party.discoveryUrl).protocol) {
      throw new SignInRefusal('discovery_invalid', {
        message: `The ${name} in the discovery document is not valid: ${shown(document[name])}.`,
        remedy: 'Correct the discovery URL.',
      });
    }
  }
  return toMetadata(issuer, document);
}

/** Signatures with public keys (RFC 7518, section 3.1). With HS256, anyone who knows the client secret could sign tokens. */
const otherAlgorithms = ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];

/** Returns those of the known values that a document lists, or the first known one if it lists none of them. */
function listed(document: Record<string, unknown>, name: string, known: readonly string[]): string[] {
  const values = document[name];
  const found = Array.isArray(values) ? known.filter((value) => values.includes(value)) : [];
  return found.length > 0 ? found : known.slice(0, 1);
}

/** Whether a provider says that it knows the scope: some refuse a request with a scope that they don't know. */
const supportsOfflineAccess = ({ scopes_supported: scopes }: Record<string, unknown>): boolean =>
  Array.isArray(scopes) && scopes.includes('offline_access');

/** Returns the parts of a document that a sign-in uses, without the rest, however large it is. */
function toMetadata(issuer: string, document: Record<string, unknown>): ServerMetadata {
  const text = (name: string) => (urlOf(document[name]) === undefined ? {} : { [name]: document[name] });
  return {
    issuer,
    ...text('authorization_endpoint'),
    ...text('token_endpoint'),
    ...text('jwks_uri'),
    ...text('end_session_endpoint'),
    ...text('userinfo_endpoint'),
    id_token_signing_alg_values_supported: listed(document, 'id_token_signing_alg_values_supported', [
      'RS256',
      ...otherAlgorithms,
    ]),
    userinfo_signing_alg_values_supported: listed(document, 'userinfo_signing_alg_values_supported', [
      'RS256',
      ...otherAlgorithms,
    ]),
    token_endpoint_auth_methods_supported: listed(document, 'token_endpoint_auth_methods_supported', [
      'client_secret_post',
      'client_secret_basic',
    ]),
    scopes_supported: supportsOfflineAccess(document) ? ['offline_access'] : [],
    // RFC 9207: whether authorization responses must name the issuer.
    authorization_response_iss_parameter_supported:
      document['authorization_response_iss_parameter_supported'] === true,
  };
}

/** Returns a URL of a document, or undefined. A value that only becomes a URL as a string is refused. */
export const urlOf = (value: unknown): URL | undefined =>
  typeof value === 'string' ? (URL.parse(value) ?? undefined) : undefined;

/**
 * Whether an issuer's discovery document has the URL of a configuration (OpenID Connect Discovery 1.0, section 4.3).
 * A slash at the end of an issuer is not part of its discovery URL (OpenID Connect Discovery 1.0, section 4.1). Issuers of
 * tenants have none; a tenant is a GUID, which people type in either case.
 */
export function isIssuerOf(
  issuer: string,
  { discoveryUrl, tenantId }: Pick<RelyingParty, 'discoveryUrl' | 'tenantId'>,
): boolean {
  if (tenantId === undefined) return issuer.replace(/\/$/, '') + wellKnown === discoveryUrl;
  return (issuer + wellKnown).toLowerCase() === discoveryUrl.toLowerCase();
}

async function readDocument(
  outgoing: Outgoing,
  { discoveryUrl, organizationId }: RelyingParty,
  { isHidden }: { readonly isHidden: boolean },
): Promise<Record<string, unknown>> {
  // Nobody explores a private host: only what a provider has to serve there is ever requested.
  if (isHidden && !new URL(discoveryUrl).pathname.endsWith(wellKnown)) {
    throw new SignInRefusal('discovery_invalid', {
      message: `The discovery URL is in a private network and doesn’t end with ${wellKnown}.`,
      remedy: 'Correct the discovery URL.',
    });
  }
  const response = await outgoing.fetch(discoveryUrl, {
    organizationId,
    headers: { accept: 'application/json' },
  });
  if (response.status !== 200) {
    throw new SignInRefusal('discovery_failed', {
      message: `The discovery URL returned status ${response.status} instead of a document.`,
      remedy: 'Check the tenant, or open the discovery URL in a browser.',
    });
  }
  const document = parseObject(await response.text());
  if (document === undefined) {
    throw new SignInRefusal('discovery_invalid', {
      message: 'The discovery URL did not return a JSON object.',
      remedy: 'Open the discovery URL in a browser. It must end with /.well-known/openid-configuration.',
    });
  }
  return document;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

export const toFacts = (metadata: ServerMetadata): DiscoveryFacts => ({
  issuer: metadata.issuer,
  authorizationEndpoint: metadata.authorization_endpoint ?? '',
  tokenEndpoint: metadata.token_endpoint ?? '',
  jwksUri: metadata.jwks_uri ?? '',
  ...(metadata.end_session_endpoint !== undefined && { endSessionEndpoint: metadata.end_session_endpoint }),
});

const shownValue = (value: unknown): string => (JSON.stringify(value) ?? 'none').slice(0, 200);

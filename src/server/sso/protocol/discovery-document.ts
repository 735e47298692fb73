import type { ServerMetadata } from 'openid-client';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { RelyingParty } from './relying-party.ts';
import { SignInRefusal } from './sign-in-refusal.ts';

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
 * Reads and checks the discovery document (OpenID Connect Discovery 1.0, section 4.3): its issuer must be the address
 * it was read from. That is stricter than the library for `login.microsoftonline.com`, whose documents for many
 * tenants name a template.
 */
export async function readDiscoveryDocument(
  outgoing: Outgoing,
  party: RelyingParty,
): Promise<ServerMetadata> {
  const document = await readDocument(outgoing, party.discoveryUrl);
  const { issuer } = document;
  if (typeof issuer !== 'string' || !isReadFrom(issuer, party)) {
    throw new SignInRefusal('issuer_mismatch', {
      message: `The discovery document names the issuer ${shown(issuer)}, which is not the one that its address stands for.`,
      remedy: 'Use the address of one tenant, to the letter; not that of “common” or “organizations”.',
    });
  }
  const { tenantId } = party;
  if (tenantId !== undefined && !new URL(issuer).pathname.split('/').includes(tenantId.toLowerCase())) {
    throw new SignInRefusal('issuer_mismatch', {
      message: `The issuer ${shown(issuer)} is not of the tenant of the configuration.`,
      remedy: 'Correct the tenant or the discovery address.',
    });
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const url = urlOf(document[name]);
    if (url?.protocol !== new URL(party.discoveryUrl).protocol) {
      throw new SignInRefusal('discovery_invalid', {
        message: `The discovery document has no usable ${name}: ${shown(document[name])}.`,
        remedy: 'Correct the discovery address.',
      });
    }
  }
  return toMetadata(issuer, document);
}

/** What a sign-in reads of a document: whatever else there is, and however much, is neither kept nor looked at. */
function toMetadata(issuer: string, document: Record<string, unknown>): ServerMetadata {
  const text = (name: string) => (urlOf(document[name]) === undefined ? {} : { [name]: document[name] });
  return {
    issuer,
    ...text('authorization_endpoint'),
    ...text('token_endpoint'),
    ...text('jwks_uri'),
    ...text('end_session_endpoint'),
    // RFC 9207: whether the answers must name the issuer.
    authorization_response_iss_parameter_supported:
      document['authorization_response_iss_parameter_supported'] === true,
  };
}

/** Returns an address of a document, or undefined for what is none: what merely turns into one as text is refused. */
export const urlOf = (value: unknown): URL | undefined =>
  typeof value === 'string' ? (URL.parse(value) ?? undefined) : undefined;

/** The tenant is a GUID, in which people type either case. */
function isReadFrom(issuer: string, { discoveryUrl, tenantId }: RelyingParty): boolean {
  const address = issuer + wellKnown;
  if (tenantId === undefined) return address === discoveryUrl;
  return address.toLowerCase() === discoveryUrl.toLowerCase();
}

async function readDocument(outgoing: Outgoing, url: string): Promise<Record<string, unknown>> {
  const answer = await outgoing.fetch(url, { headers: { accept: 'application/json' } });
  if (answer.status !== 200) {
    throw new SignInRefusal('discovery_failed', {
      message: `The discovery address answers with status ${answer.status} instead of a document.`,
      remedy: 'Check the tenant or the discovery address in a browser.',
    });
  }
  const document = parseObject(await answer.text());
  if (document === undefined) {
    throw new SignInRefusal('discovery_invalid', {
      message: 'The discovery address does not answer with a JSON object.',
      remedy: 'Check the discovery address in a browser: it ends with /.well-known/openid-configuration.',
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

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'none').slice(0, 200);

import { createHash, X509Certificate } from 'node:crypto';
import type { ClientAuth, ServerMetadata } from 'openid-client';
import { loadProtocol } from './library.ts';
import type { ClientKey, RelyingParty } from './relying-party.ts';

/**
 * Returns how a relying party proves to the token endpoint that it is the client: with the token of this server's host, with its
 * certificate, or with its secret.
 */
export async function createClientAuthentication(
  party: RelyingParty,
  metadata: ServerMetadata,
): Promise<ClientAuth> {
  const client = await loadProtocol();
  const { clientKey, workloadAssertion } = party;
  if (workloadAssertion !== undefined)
    // oxlint-disable-next-line typescript/no-misused-promises -- the library waits for it, which its types leave out.
    return async (_server, { client_id: clientId }, body) => {
      body.set('client_id', clientId);
      body.set('client_assertion_type', assertionType);
      body.set('client_assertion', await workloadAssertion(metadata.token_endpoint));
    };
  // Functions, so that the key or the secret is read only when it is used.
  if (clientKey !== undefined)
    // oxlint-disable-next-line typescript/no-misused-promises -- the library waits for it, which its types leave out.
    return async (...request) =>
      (await createKeyAuthentication(clientKey(), party.tenantId !== undefined, metadata))(...request);
  return (...request) =>
    metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
      ? client.ClientSecretPost(party.clientSecret)(...request)
      : client.ClientSecretBasic(party.clientSecret)(...request);
}

/** RFC 7523, section 2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * `private_key_jwt` (OpenID Connect Core 1.0, section 9). The certificate is named by its thumbprints (RFC 7515, sections 4.1.7 and
 * 4.1.8): Entra expects SHA-256 with PS256 and its token endpoint as the audience, AD FS SHA-1 with RS256.
 */
async function createKeyAuthentication(
  { certificate, privateKey }: ClientKey,
  isEntra: boolean,
  { token_endpoint: tokenEndpoint }: ServerMetadata,
): Promise<ClientAuth> {
  const client = await loadProtocol();
  const { raw } = new X509Certificate(certificate);
  const digest = (algorithm: string) => createHash(algorithm).update(raw).digest('base64url');
  const algorithm = { name: isEntra ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', Buffer.from(privateKey, 'base64'), algorithm, false, [
    'sign',
  ]);
  return client.PrivateKeyJwt(key, {
    [client.modifyAssertion]: (header, payload) => {
      Object.assign(header, { typ: 'JWT', 'x5t#S256': digest('sha256') });
      if (isEntra) payload['aud'] = tokenEndpoint ?? '';
      else Object.assign(header, { x5t: digest('sha1') });
    },
  });
}

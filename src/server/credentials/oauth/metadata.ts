import { personalScopes, type TokenScope } from '#contract/scopes.ts';
import { signatureAlgorithms } from './clients/assertions.ts';

export const tokenPath = '/api/oauth/token';
export const devicePath = '/api/oauth/device_authorization';
export const registerPath = '/api/oauth/register';
export const revokePath = '/api/oauth/revoke';
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Describes the authorization server (RFC 8414, section 2). */
export const authorizationServer = (publicUrl: string): object => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  token_endpoint: publicUrl + tokenPath,
  registration_endpoint: publicUrl + registerPath,
  device_authorization_endpoint: publicUrl + devicePath,
  revocation_endpoint: publicUrl + revokePath,
  revocation_endpoint_auth_methods_supported: ['none'],
  token_endpoint_auth_methods_supported: [
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'none',
  ],
  token_endpoint_auth_signing_alg_values_supported: signatureAlgorithms,
  grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token', deviceGrant],
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  scopes_supported: personalScopes,
});

/** The scopes that the tools of MCP need. Clients ask for all that are listed, so no others are. */
const mcpScopes: readonly TokenScope[] = ['read', 'propose'];

/** Describes what access tokens are for (RFC 9728, section 2): everything at a path of the server. */
export const protectedResource = (publicUrl: string, path: '' | '/mcp'): object => ({
  resource: publicUrl + path,
  authorization_servers: [publicUrl],
  scopes_supported: path === '/mcp' ? mcpScopes : personalScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Atrium',
});

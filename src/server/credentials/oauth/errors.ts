/** An error of the token endpoint (RFC 6749, section 5.2, RFC 7591, section 3.2.2, and RFC 8628, section 3.5). */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Header fields of the response: each 401 has a challenge (RFC 9110, section 15.5.2). */
  readonly headers: Readonly<Record<string, string>>;

  /** `description` is for the developer of the client, in ASCII without quotes and backslashes, as the RFC requires. */
  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.headers = code === 'invalid_client' ? { 'www-authenticate': 'Basic realm="Atrium"' } : {};
  }
}

const statuses = {
  access_denied: 400,
  authorization_pending: 400,
  expired_token: 400,
  invalid_client: 401,
  invalid_client_metadata: 400,
  invalid_grant: 400,
  invalid_redirect_uri: 400,
  invalid_request: 400,
  invalid_scope: 400,
  invalid_target: 400,
  slow_down: 400,
  unauthorized_client: 400,
  unsupported_response_type: 400,
  unsupported_grant_type: 400,
} as const;
export type OAuthErrorCode = keyof typeof statuses;

export const statusOf = ({ code }: OAuthError): number => statuses[code];

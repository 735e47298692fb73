import { OAuthError } from './oauth/errors.ts';

/** The parts of the server that a token can be for, as path names. */
export type Audience = 'mcp';

/** The part of the server that a request with a token is for. */
export type Target = 'api' | 'scim' | Audience;

/** Whether a token may be used for a part of the server. One for the whole server may be used for each. */
export const isFor = (audience: Audience | null, target: Target): boolean =>
  audience === null || audience === target;

/**
 * Returns the part of the server that a request names in `resource` (RFC 8707, section 2): null for the whole server, and undefined
 * if it names none. Throws `invalid_target`.
 */
export function readResource(publicUrl: string, resource: string | undefined): Audience | null | undefined {
  if (resource === undefined) return undefined;
  if (resource === publicUrl || resource === `${publicUrl}/`) return null;
  if (resource === `${publicUrl}/mcp`) return 'mcp';
  throw new OAuthError('invalid_target', 'A token can only be for this server.');
}

/**
 * Returns what a token is for that is got by another credential. It can be for less than the credential (RFC 8707, section 2.2). Throws
 * `invalid_target` if more is asked for.
 */
export function narrowAudience(
  granted: Audience | null,
  asked: Audience | null | undefined,
): Audience | null {
  if (asked === undefined || asked === granted || granted === null) return asked ?? granted;
  throw new OAuthError('invalid_target', 'The authorization is only for MCP.');
}

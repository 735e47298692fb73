import type { ResponseBodyError } from 'openid-client';
import { explainEntraCode } from './entra-errors.ts';

/** Why a provider refused a refresh token. None of its own text, which could repeat the token, is passed on. */
export interface RefusedGrant {
  /** An error code of Entra, of OAuth, or of the check of the response. */
  readonly refusal: string;
  readonly message: string;
}

/**
 * The errors that mean that the person has to sign in again: the token was revoked, or the account disabled (RFC 6749, section 5.2),
 * or a policy requires it (OpenID Connect Core 1.0, section 3.1.2.6, which Entra also uses here). All others are about this client
 * or the state of the provider.
 */
const refusals: ReadonlySet<string> = new Set(['invalid_grant', 'interaction_required', 'login_required']);

/** Returns why a provider refused a refresh token, or undefined if the error is about something else. */
export function readRefusal({
  error,
  error_description: description,
  status,
}: Pick<ResponseBodyError, 'error' | 'error_description' | 'status'>): RefusedGrant | undefined {
  if (!refusals.has(error) || status === 429) return undefined;
  const code = /\bAADSTS\d{4,10}\b/.exec(description ?? '')?.[0];
  const message = (code && explainEntraCode(code)?.message) ?? 'The person has to sign in there again.';
  return { refusal: code ?? error, message };
}

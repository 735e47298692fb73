import type { ServerMetadata } from 'openid-client';
import { explainEntraCode } from './entra-errors.ts';
import { CallbackRefusal } from './sign-in-refusal.ts';

/** RFC 6749, section 4.1.2.1, and OpenID Connect Core 1.0, section 3.1.2.6. */
const errorCodes = [
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
];

const note = '(Reported by the browser, not confirmed by the identity provider.)';

/** RFC 6749, appendix A.11. Longer ones would make the provider refuse the whole request. */
const codeForm = /^[\x20-\x7e]{1,8000}$/;

/**
 * Throws a `CallbackRefusal` unless the browser sent the parameters of an authorization response with a code (RFC 6749,
 * section 4.1.2) from this issuer (RFC 9207). The library checks the same, but does not distinguish the browser's
 * faults from the provider's. Text that the browser sent is never passed on.
 */
export function requireCode(parameters: URLSearchParams, metadata: ServerMetadata): void {
  const { issuer, authorization_response_iss_parameter_supported: isIssuerNamed } = metadata;
  const twice = ['state', 'iss', 'error', 'code'].find((name) => parameters.getAll(name).length > 1);
  if (twice !== undefined) throw invalid(`it contains ${twice} more than once`);
  const iss = parameters.get('iss') ?? '';
  if (iss === '' && isIssuerNamed === true) throw invalid('it does not name its issuer (iss)');
  if (iss !== '' && iss !== issuer) throw invalid('it is from another issuer (iss)');
  const error = parameters.get('error') ?? '';
  if (error !== '') throw reported(error, parameters.get('error_description') ?? '');
  if (['id_token', 'token', 'response'].some((name) => parameters.has(name)))
    throw invalid('it belongs to an implicit or hybrid flow, or is signed');
  const code = parameters.get('code') ?? '';
  if (code === '') throw invalid('it has no code');
  if (!codeForm.test(code)) throw invalid('its code is not valid');
}

const invalid = (fault: string): CallbackRefusal =>
  new CallbackRefusal('token_invalid', {
    message: `The response of the identity provider is not valid: ${fault}. ${note}`,
    remedy: 'Sign in again. If it happens again, check the discovery URL.',
  });

function reported(error: string, description: string): CallbackRefusal {
  const entraCode = /\bAADSTS\d{4,8}\b/.exec(description)?.[0];
  const code = entraCode ?? (errorCodes.includes(error) ? error : 'provider_error');
  const { message, remedy } = explainEntraCode(code) ?? {
    message: `The identity provider returned the error ${code}.`,
    remedy: 'Check the identity provider’s log for this sign-in.',
  };
  return new CallbackRefusal(code, { message: `${message} ${note}`, remedy });
}

import { findOutgoingError } from '../../../outgoing/outgoing-error.ts';
import { explainProviderError } from '../entra-errors.ts';
import { loadProtocol } from '../library.ts';
import type { Binding, RelyingParty } from '../relying-party.ts';
import { CallbackRefusal, SignInRefusal } from '../sign-in-refusal.ts';

/** How long a sign-in waits for its provider at most. */
const deadlineMs = 10_000;

/** Returns the client secret if it is sent. Otherwise it is not read, since it need not be readable. */
export const clientSecretOf = (party: RelyingParty): string[] =>
  party.clientKey === undefined && party.workloadAssertion === undefined ? [party.clientSecret] : [];

/** Returns the secrets that are sent to a provider, which could repeat them in an error, which is logged. */
export const secretsOf = (
  party: RelyingParty,
  { state, nonce, codeVerifier }: Binding,
  callbackUrl: URL,
): string[] => [
  ...clientSecretOf(party),
  state,
  nonce,
  codeVerifier,
  ...callbackUrl.searchParams.getAll('code'),
];

/**
 * Returns `text` without the secrets and tokens. Secrets of a few characters stay, since removing them would garble the
 * text.
 */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .replaceAll(/[\w.-]+/g, withoutToken);
}

/** Cuts a run of token characters where a JSON Web Token begins: at `eyJ`, if a dot follows (RFC 7519, section 3.1). */
function withoutToken(run: string): string {
  const start = run.indexOf('eyJ');
  return start === -1 || !run.includes('.', start) ? run : `${run.slice(0, start)}…`;
}

/** What errors must not contain. */
export interface Confidential {
  readonly secrets: readonly string[];
  /** Whether the provider is in a private network: then errors contain codes, and nothing else of what it returns. */
  readonly isPrivateHost: boolean;
}

/** Runs `work` for at most 10 s. Errors contain nothing of what is confidential. */
export async function withinDeadline<Result>(
  { secrets, isPrivateHost }: Confidential,
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new SignInRefusal('provider_unreachable', {
        message: 'The identity provider did not respond within 10 seconds.',
        remedy:
          'Try again. If it happens again, check the provider and the network between it and the server.',
      }),
    );
  }, deadlineMs);
  try {
    return await Promise.race([work(), tooLate]);
  } catch (error) {
    throw await toRefusal(error, (text) => withoutSecrets(text, secrets), isPrivateHost);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the refusal that an error of the library was caused by: the library wraps it if a credential can't be read. */
function findRefusal(error: unknown): SignInRefusal | undefined {
  if (error instanceof SignInRefusal) return error;
  return error instanceof Error ? findRefusal(error.cause) : undefined;
}

/** The error codes of a token endpoint (RFC 6749, section 5.2) and of an authorization endpoint (section 4.1.2.1). */
const errorCodes: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
]);

async function toRefusal(
  error: unknown,
  clean: (text: string) => string,
  isPrivateHost: boolean,
): Promise<SignInRefusal> {
  // Its text comes only from this program.
  if (error instanceof CallbackRefusal) return error;
  const refusal = findRefusal(error);
  if (refusal !== undefined) {
    const { code, message, remedy } = refusal;
    return new SignInRefusal(code, { message: clean(message), remedy }, refusal);
  }
  const outgoing = findOutgoingError(error);
  if (outgoing !== undefined) {
    const code = outgoing.code === 'address_refused' ? 'address_refused' : 'provider_unreachable';
    return new SignInRefusal(
      code,
      {
        // Such messages are also used within sentences, without a full stop.
        message: outgoing.message.replace(/[^.]$/, '$&.'),
        remedy:
          'Check the discovery URL and the network. A host in a private network must be in ' +
          'ATRIUM_SSO_PRIVATE_HOSTS.',
      },
      error,
    );
  }
  const { ResponseBodyError } = await loadProtocol();
  if (error instanceof ResponseBodyError) {
    const description = isPrivateHost
      ? /\b(?:AADSTS|MSIS)\d{4,10}\b/.exec(error.error_description ?? '')?.[0]
      : error.error_description;
    const { code, message, remedy } = explainProviderError(
      isPrivateHost && !errorCodes.has(error.error) ? 'an error that is not shown' : clean(error.error),
      description === undefined ? undefined : clean(description),
    );
    // RFC 6749, section 5.2: the code, which the browser sent, is invalid. Entra has another error code for a malformed
    // one.
    const isAboutCode = error.error === 'invalid_grant' || code === 'AADSTS9002313';
    const Refusal = isAboutCode ? CallbackRefusal : SignInRefusal;
    return new Refusal(code, { message, remedy }, error);
  }
  return new SignInRefusal(
    'token_invalid',
    {
      message: isPrivateHost
        ? 'The response of the identity provider is not valid. Its host is in a private network, so the log of the server has the reason.'
        : `The response of the identity provider is not valid: ${clean(reasonOf(error)).slice(0, 500)}.`,
      remedy: 'Check that client, tenant and discovery URL belong together.',
    },
    error,
  );
}

/** The library puts the reason into the cause of its error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

import { findOutgoingError } from '../../outgoing/outgoing-error.ts';
import { explainProviderError } from './entra-errors.ts';
import { loadProtocol } from './library.ts';
import type { Binding, RelyingParty } from './relying-party.ts';
import { CallbackRefusal, SignInRefusal } from './sign-in-refusal.ts';

/** No sign-in waits longer for its provider, whatever that does. */
const deadlineMs = 10_000;

/** What a provider is told, and could say back in an error, which is written down. */
export const secretsOf = (
  { clientSecret }: RelyingParty,
  { state, nonce, codeVerifier }: Binding,
  callbackUrl: URL,
): string[] => [clientSecret, state, nonce, codeVerifier, ...callbackUrl.searchParams.getAll('code')];

/** Returns `text` without the secrets, and without any token. One of a few characters would leave nothing of a text. */
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

/** Runs `work`, which takes 10 s at most; what it throws bears none of `secrets`. */
export async function withinDeadline<Result>(
  secrets: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new SignInRefusal('provider_unreachable', {
        message: 'The identity provider does not answer within 10 seconds.',
        remedy: 'Try again; if it goes on, check the provider and the network between.',
      }),
    );
  }, deadlineMs);
  try {
    return await Promise.race([work(), tooLate]);
  } catch (error) {
    throw await toRefusal(error, (text) => withoutSecrets(text, secrets));
  } finally {
    clearTimeout(timer);
  }
}

async function toRefusal(error: unknown, clean: (text: string) => string): Promise<SignInRefusal> {
  // In words of our own alone.
  if (error instanceof CallbackRefusal) return error;
  if (error instanceof SignInRefusal) {
    const { code, message, remedy } = error;
    return new SignInRefusal(code, { message: clean(message), remedy }, error);
  }
  const outgoing = findOutgoingError(error);
  if (outgoing !== undefined) {
    const code = outgoing.code === 'address_refused' ? 'address_refused' : 'provider_unreachable';
    return new SignInRefusal(
      code,
      {
        message: outgoing.message,
        remedy: 'Check the address and the network; private networks take ATRIUM_SSO_PRIVATE_HOSTS.',
      },
      error,
    );
  }
  const { ResponseBodyError } = await loadProtocol();
  if (error instanceof ResponseBodyError) {
    const description = error.error_description;
    const { code, message, remedy } = explainProviderError(
      clean(error.error),
      description === undefined ? undefined : clean(description),
    );
    // RFC 6749, section 5.2: it is the code that is wrong, which a browser brought; Entra has another word for a malformed one.
    const isOfCode = error.error === 'invalid_grant' || code === 'AADSTS9002313';
    const Refusal = isOfCode ? CallbackRefusal : SignInRefusal;
    return new Refusal(code, { message, remedy }, error);
  }
  return new SignInRefusal(
    'token_invalid',
    {
      message: `What the identity provider sends is not accepted: ${clean(reasonOf(error)).slice(0, 500)}.`,
      remedy: 'Check that client, tenant and discovery address belong together.',
    },
    error,
  );
}

/** The library tells what is wrong in the cause of what it throws. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

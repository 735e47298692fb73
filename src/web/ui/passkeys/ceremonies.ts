import type { PasskeyAssertion } from '#contract/accounts/passkey-assertion.ts';
import { t } from '#shared/language/messages.ts';
import { passkeyObstacle } from '#shared/passkeys/obstacle.ts';
import type { BodyOf } from '#contract/route.ts';
import type { addPasskey } from '#contract/accounts/passkeys.ts';
import { toPasskeyFailure } from './passkey-failure.ts';

type Credential = BodyOf<typeof addPasskey>['credential'];

/** Returns why this page can't make or use passkeys, or undefined if it can. */
export function passkeyReason(): string | undefined {
  switch (passkeyObstacle(location.origin)) {
    case 'address':
      return t(
        'Passkeys need a host name, and this server is reached by its IP address. Ask the operator of this server.',
      );
    case 'insecure':
      return t('Passkeys need https. Ask the operator of this server.');
    case undefined:
      return 'PublicKeyCredential' in window ? undefined : t('This browser doesn’t support passkeys.');
  }
}

/** Makes a passkey. Throws a `PasskeyFailure`. The library is loaded at first use. */
export async function makePasskey(options: Record<string, unknown>): Promise<Credential> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  try {
    // Sound because the contract says so.
    const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
    const { id, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports } = response;
    return {
      id,
      response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
    };
  } catch (error) {
    throw toPasskeyFailure(error);
  }
}

/** Asks for a passkey, and returns what it signed. Throws a `PasskeyFailure`. */
export async function signWithPasskey(options: Record<string, unknown>): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    // Sound because the contract says so.
    const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
    const { id, response } = await startAuthentication({ optionsJSON });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return {
      id,
      response: {
        clientDataJSON,
        authenticatorData,
        signature,
        ...(userHandle !== undefined && { userHandle }),
      },
    };
  } catch (error) {
    throw toPasskeyFailure(error);
  }
}

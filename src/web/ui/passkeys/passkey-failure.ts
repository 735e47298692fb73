import { t } from '#shared/language/messages.ts';

/** Why a browser made or used no passkey, in words for people. */
export class PasskeyFailure extends Error {
  readonly title: string;
  readonly detail: string;
  constructor(title: string, detail: string, cause: unknown) {
    super(title, { cause });
    this.title = title;
    this.detail = detail;
  }
}

/** Returns what an error of the browser means (Web Authentication, sections 5.1.3 and 5.1.4). */
export function toPasskeyFailure(error: unknown): PasskeyFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const name = cause instanceof Error ? cause.name : '';
  switch (name) {
    case 'InvalidStateError':
      return new PasskeyFailure(
        t('You already have a passkey there'),
        t('This device or password manager already has a passkey for your account. Choose another one.'),
        error,
      );
    case 'SecurityError':
      return new PasskeyFailure(
        t('Passkeys don’t work at this address'),
        t('Open this page at the address that the operator of the server has set for it, with https.'),
        error,
      );
    case 'ConstraintError':
    case 'NotSupportedError':
      return new PasskeyFailure(
        t('This device can’t make a passkey'),
        t(
          'It has to store passkeys itself, and verify you by a PIN, fingerprint or face. Use another device or a password manager.',
        ),
        error,
      );
    default:
      return new PasskeyFailure(
        t('No passkey was used'),
        t('You cancelled, it took too long, or there is no matching passkey on this device. Try again.'),
        error,
      );
  }
}

import type { Explanation } from './entra-errors.ts';

/**
 * Why a sign-in through a directory was refused, with a message for the organization's administrators. The person who
 * signs in sees the same message, since it is only about their own directory.
 */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';
  readonly code: string;
  readonly remedy: string;
  constructor(code: string, { message, remedy }: Explanation, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.remedy = remedy;
  }
}

/**
 * A refusal because of what a browser sent to the callback. Anyone who starts a sign-in can forge that, so it does not
 * mean that the configuration does not work.
 */
export class CallbackRefusal extends SignInRefusal {}

import type { Explanation } from './entra-errors.ts';

/**
 * Why a sign-in through a directory is refused, in words for the organization's administrator. The person who signs
 * in is told the same, since all of it concerns their own directory.
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
 * A refusal that rests on what a browser brought to the callback. Anybody who begins a sign-in can make it up, so it says
 * nothing of whether the configuration works.
 */
export class CallbackRefusal extends SignInRefusal {}

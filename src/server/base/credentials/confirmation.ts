import type { Actor } from '../actor.ts';
import { minutesMs, type Clock } from '../clock.ts';
import { AtriumError } from '../errors.ts';

/**
 * How long a confirmation of identity is valid. It is short, so that someone else at an unlocked computer can't use it.
 */
export const confirmationMs = minutesMs(10);

/**
 * Whether the person has confirmed their identity within the last ten minutes. A time in the future counts only for as long, too: the
 * clock may have been set back.
 */
export const hasConfirmed = ({ credential }: Actor, clock: Clock): boolean =>
  credential.kind === 'session' &&
  credential.confirmedAt !== undefined &&
  Math.abs(clock() - credential.confirmedAt) < confirmationMs;

/** Throws `confirmation_required` unless the person has confirmed their identity within the last ten minutes. */
export function requireConfirmation(actor: Actor, clock: Clock): void {
  if (hasConfirmed(actor, clock)) return;
  throw new AtriumError(
    'confirmation_required',
    'You last confirmed your identity more than ten minutes ago. Enter your password again, or sign in again.',
  );
}

import type { Actor } from './actor.ts';
import { minutesMs, type Clock } from './clock.ts';
import { AtriumError } from './errors.ts';

/** How long a proof of identity counts: whoever finds an unlocked computer later cannot use it. */
export const confirmationMs = minutesMs(10);

/** Throws `confirmation_required` unless the person has proven who they are within the last ten minutes. */
export function requireConfirmation({ confirmedAt }: Actor, clock: Clock): void {
  if (confirmedAt !== undefined && clock() - confirmedAt < confirmationMs) return;
  throw new AtriumError(
    'confirmation_required',
    'This needs proof from the last ten minutes that it’s you. Enter your password again, or sign in again.',
  );
}

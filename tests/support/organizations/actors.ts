import type { SessionActor } from '../../../src/server/base/actor.ts';

/** Returns a user as an actor with a session from their password. */
export const actorOf = (userId: string): SessionActor => ({
  userId,
  credential: { kind: 'session', id: 'a session', method: 'password', confirmedAt: undefined },
  scope: 'all',
  satisfiesSso: false,
});

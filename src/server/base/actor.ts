import type { SessionMethod } from '#contract/accounts/sessions.ts';
import { AtriumError } from './errors.ts';

/** The user that makes a request. */
export interface Actor {
  readonly userId: string;
  /** How the request was authenticated. */
  readonly credential: SessionCredential;
  /** Which of the user's records the request may use. */
  readonly scope: Scope;
  /** Whether the credential meets the SSO requirement of the organizations in its scope. */
  readonly satisfiesSso: boolean;
}

/** A wall display. It is no `Actor`, so that only operations for displays can take it. */
export interface DisplayActor {
  readonly dashboardId: string;
  /** The person who created the link, with whose access the reports run. */
  readonly creator: Actor;
  /** The values of the filters, as a query string. */
  readonly filters: string;
}

/** Returns the wall display of a token. Throws `link_not_valid`, and `too_many_attempts` after many from one address. */
export type AuthenticateDisplay = (token: string, address: string) => Promise<DisplayActor>;

/** A session, and how the user signed in to it. */
export interface SessionCredential {
  readonly sessionId: string;
  readonly method: SessionMethod;
  /** When the person last confirmed their identity, in milliseconds since the epoch. */
  readonly confirmedAt: number | undefined;
}

/** Everything that the user may use, or only what belongs to one organization. */
export type Scope = 'all' | { readonly organizationId: string };

/**
 * Returns whether the records of an organization, or (undefined) the user's personal ones, are in the actor's scope.
 */
export const isInScope = ({ scope }: Actor, organizationId: string | undefined): boolean =>
  scope === 'all' || scope.organizationId === organizationId;

/** Throws `forbidden` if the credential is limited to one organization; `remedy` is what to do instead. */
export function requireFullScope({ scope }: Actor, remedy: string): void {
  if (scope === 'all') return;
  throw new AtriumError('forbidden', `This session is limited to one organization. ${remedy}`);
}

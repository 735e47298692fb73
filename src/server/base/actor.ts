import type { SessionMethod } from '#contract/accounts/sessions.ts';
import type { TokenScope } from '#contract/scopes.ts';
import { AtriumError } from './errors.ts';

/** The person or service account that makes a request. */
export interface Actor {
  /** A service account has an ID like that of a person. */
  readonly userId: string;
  /** How the request was authenticated. */
  readonly credential: Credential;
  /** Which of the user's records the request may use. */
  readonly scope: Scope;
  /** Whether the credential meets the SSO requirement of the organizations in its scope. */
  readonly satisfiesSso: boolean;
  /** The organizations that can't be used from the address of the request. */
  readonly closedOrganizationIds?: readonly string[];
  /** The organizations whose session limits the session exceeds: the person signs in again to use them. */
  readonly exceededOrganizationIds?: readonly string[];
  /** Called each time that it opens an organization, of which the first is recorded. */
  readonly onOpened?: (organizationId: string) => void;
  /** The organizations that require a second factor that the account doesn't have. */
  readonly secondFactorMissingIn?: readonly string[];
}

/** A person who is signed in in a browser. */
export interface SessionActor extends Actor {
  readonly credential: SessionCredential;
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

/** The kinds of credentials; none is accepted in place of another. */
export type Credential = SessionCredential | TokenCredential | DisplayCredential | OperatorCredential;

/** A session, and how the user signed in to it. */
export interface SessionCredential {
  readonly kind: 'session';
  readonly id: string;
  readonly method: SessionMethod;
  /** When the person last confirmed their identity, in milliseconds since the epoch. */
  readonly confirmedAt: number | undefined;
}

/** A personal token, or one of a service account. */
export interface TokenCredential {
  readonly kind: 'token';
  readonly id: string;
  readonly scopes: readonly TokenScope[];
}

/** The link of a wall display. */
export interface DisplayCredential {
  readonly kind: 'display';
  readonly id: string;
}

/** The operator's command line, which acts for a person. The audit log doesn't name the person for it. */
export interface OperatorCredential {
  readonly kind: 'operator';
  readonly id: 'operator';
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

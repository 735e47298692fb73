/** Who asks: a user, by a session. */
export interface Actor {
  readonly userId: string;
  readonly sessionId: string;
  /** Set when the session came through an organization's identity provider: it opens that one alone. */
  readonly onlyOrganizationId: string | undefined;
  /** When the person last confirmed their identity, in milliseconds since the epoch. */
  readonly confirmedAt?: number | undefined;
}

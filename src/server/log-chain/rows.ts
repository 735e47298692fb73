/** The logs, each of which has a chain in each organization. */
export const logs = ['audit', 'access'] as const;
export type Log = (typeof logs)[number];

/** The chain of a log. */
export interface ChainKey {
  readonly organizationId: string;
  readonly log: Log;
}

/** What the chain has of an entry of the audit log. */
export interface AuditRow {
  readonly id: string;
  readonly organizationId: string;
  readonly at: string;
  readonly action: string;
  readonly actorId: string | null;
  readonly sessionId: string | null;
  readonly details: string;
}

/** What the chain has of an entry of the data-access log. */
export interface AccessRow {
  readonly id: string;
  readonly organizationId: string;
  readonly at: string;
  readonly lastAt: string;
  readonly action: string;
  readonly count: number;
  readonly actorId: string | null;
  readonly tokenId: string | null;
  readonly linkId: string | null;
  readonly subjectId: string | null;
  readonly details: string;
}

/** An entry that is in its chain. */
export interface Sealed {
  readonly sequence: number;
  readonly hash: string | null;
}

export interface SealedDetails {
  /** Null if the details were removed since. */
  readonly detailsSalt: string | null;
  readonly detailsHash: string | null;
}

/** What an entry of the audit log has instead of its details, if they were removed. */
export const removedDetails = '{"removed":true}';

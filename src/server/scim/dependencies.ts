import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import type { EndMembership } from '../organizations/ended-membership.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';

export interface ScimDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly endMembership: EndMembership;
  /** Ends the sessions and tokens of a person that the directory has deactivated or deleted. Returns how many sessions ended. */
  readonly endCredentials: (
    transaction: Transaction,
    person: { readonly organizationId: string; readonly userId: string },
  ) => Promise<number>;
  /** Returns who created the credential of a request. */
  readonly findCreator: (reader: Reader, actor: Actor) => Promise<string | undefined>;
}

/** A request of a provisioning service that may manage an organization. */
export interface ScimCall {
  readonly actor: Actor;
  readonly organizationId: string;
  /** When the whole request had arrived. */
  readonly receivedAt: number;
}

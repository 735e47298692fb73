import type { Fault } from '#contract/problem.ts';
import type { AccessInput, RecordPermissions } from '#contract/records/sharing.ts';
import type { ShareLevel, Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import type { SharedKind } from './kinds.ts';

/** A record that an actor may see, with what decides who else may. */
export interface SharedRecord {
  readonly id: string;
  readonly name: string;
  /** Undefined if it is personal. */
  readonly organizationId: string | undefined;
  /** Whether the record itself is restricted. */
  readonly isRestricted: boolean;
  /** Whether the record, or a folder that it is in, is restricted. */
  readonly isHidden: boolean;
  /** The folder that it is in, if it is in one. */
  readonly folderId?: string | undefined;
  /** Undefined for data sources that were created before owners were stored. */
  readonly ownerId: string | undefined;
}

/** What an actor needs to read a record's shares, or to change them. */
export type SharingAccess = 'edit' | 'manage';

/** What a user may do with a record; `manage` includes to share it. */
export type AccessLevel = RecordPermissions['access'];

/** A kind of record that can be shared. */
export interface Sharable<Shared extends SharedRecord = SharedRecord> {
  readonly kind: SharedKind;
  /** Returns a record. Throws `not_found`, `sso_required` and `forbidden`. */
  require(reader: Reader, actor: Actor, id: string, needed: SharingAccess): Promise<Shared>;
  /** Like `require`, in a transaction that changes who may see the record, and locks it. */
  requireToChange(transaction: Transaction, actor: Actor, id: string, needed: SharingAccess): Promise<Shared>;
  /** Returns the most that a user may do with a record, or undefined if the user may not see it. */
  levelOf(record: Shared, standing: Standing): AccessLevel | undefined;
  /** Returns faults of who is given access to a record, besides those of any record. */
  findFaults?(record: Shared, access: AccessInput): Fault[];
  /** Called when a record was restricted, or no longer is. */
  onRestricted(transaction: Transaction, record: Shared): Promise<void>;
  /** Records a change in the audit log. */
  recordChange(
    transaction: Transaction,
    clock: Clock,
    actor: Actor,
    change: { readonly record: Shared; readonly action: 'access_changed'; readonly details: object },
  ): Promise<void>;
}

/** A member, by user ID, or a directory group that a record is shared with. */
export interface Grantee {
  readonly kind: 'user' | 'group';
  readonly id: string;
}

/** A grantee of a record, and the access that the grantee gets. */
export interface Share {
  readonly grantee: Grantee;
  readonly access: ShareLevel;
}

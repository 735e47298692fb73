import type { Role, ShareLevel } from '#shared/permissions.ts';
import type { CurrentVersion } from './versions/store.ts';

/** What every record has besides its content. */
export interface StoredRecord extends CurrentVersion {
  /** The user who owns it. */
  readonly userId: string;
  /** Undefined if it is personal. */
  readonly organizationId: string | undefined;
  readonly name: string;
  readonly createdAt: string;
}

/** A record without its content. */
export type RecordHead = Omit<StoredRecord, 'name'>;

/** A record that a user may see, with what decides which actions the user may take on it. */
export type Readable<Stored> = Stored & {
  /** The user's role in the organization; undefined if the record is personal. */
  readonly role: Role | undefined;
  /** The most access that is granted to the user by name or through a group. */
  readonly share: ShareLevel | undefined;
  /** Whether the record itself is restricted. */
  readonly isRestricted: boolean;
  /** Whether the record, or a folder that it is in, is restricted: of the members without a share, only admins and the owner may see it. */
  readonly isHidden: boolean;
  /** The folder that the record is in. */
  readonly folderId: string | undefined;
  readonly requireSso: boolean;
};

/** Where a new record is, and whether it is restricted itself. */
export interface NewPlace {
  readonly folderId?: string | undefined;
  readonly isRestricted?: boolean;
}

export type Place = 'in use' | 'in the trash';

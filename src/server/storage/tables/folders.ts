import type { Generated } from 'kysely';

/** The tables of folders and of shares, which decide who has access. */
export interface FolderTables {
  /** Folders of dashboards and reports. */
  folders: {
    id: string;
    organization_id: string;
    /** Null for a folder in no other. */
    parent_id: string | null;
    /** The owner, who also owns all folders within. */
    user_id: string;
    name: string;
    /** The member whose personal folder it is. */
    personal_user_id: string | null;
    restricted: Generated<number>;
    /** 1 if it or a folder around it is restricted. */
    restricted_path: Generated<number>;
    version: number;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
    deleted_by: string | null;
    /** The outermost folder that was moved to the trash, which may be this one. */
    deleted_with: string | null;
  };
  /** Each folder, at distance 0, and the folders around it. */
  folder_paths: { folder_id: string; ancestor_id: string; distance: number };
  /** Access that a record grants to a member or a directory group, in addition to what roles grant. */
  shares: {
    record_id: string;
    grantee_kind: string;
    grantee_id: string;
    record_kind: string;
    organization_id: string;
    access: string;
    /** When the access was given, and who gave it; null in older rows. */
    created_at: Generated<string | null>;
    created_by: Generated<string | null>;
  };
}

/** The tables of what a directory provisions by SCIM. */
export interface ProvisioningTables {
  /** The members that the directory deactivated, who have no row in `members` until it activates them again. */
  suspended_members: {
    organization_id: string;
    user_id: string;
    /** The role that they get back. */
    role: string;
    /** When they became a member. */
    created_at: string;
    suspended_at: string;
  };
  scim_users: {
    organization_id: string;
    user_id: string;
    /** In lower case. */
    user_name: string;
    external_id: string | null;
    active: number;
    /** The attributes of the resource as JSON, without those that the server gives. */
    attributes: string;
    version: number;
    created_at: string;
    updated_at: string;
  };
  scim_groups: {
    id: string;
    organization_id: string;
    /** The name by which shares and role mappings know it: the external ID or, without one, the display name. */
    name: string;
    display_name: string;
    /** The display name in lower case. */
    display_key: string;
    external_id: string | null;
    version: number;
    created_at: string;
    updated_at: string;
  };
  scim_group_members: { group_id: string; user_id: string };
}

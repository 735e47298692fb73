import { sql, type RawBuilder } from 'kysely';

/**
 * The name to show for a group, in a query with the columns of its organization and the group: the display name, if the directory
 * provisions the group, or the name that a directory beside the first one sends, with the name of that directory.
 */
export const groupName = (organizationColumn: string, groupColumn: string): RawBuilder<string> => {
  const [organization, group] = [sql.ref(organizationColumn), sql.ref(groupColumn)];
  return sql<string>`coalesce(
    (select scim_groups.display_name from scim_groups
      where scim_groups.organization_id = ${organization} and scim_groups.name = ${group}),
    (select substr(${group}, 38) || ' (' || sso_configurations.name || ')' from sso_configurations
      where sso_configurations.organization_id = ${organization} and sso_configurations.id = substr(${group}, 1, 36)
        and sso_configurations.is_first = 0),
    ${group}
  )`;
};

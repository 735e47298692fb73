import type { DatabaseFault } from '#contract/server.ts';
import { isUnknownToEngine } from './errors.ts';
import type { Connections } from './connections.ts';

/** The fault of a role that may not read or change some tables. */
export const notPermitted: DatabaseFault = {
  code: 'not_permitted',
  detail:
    'The role of DATABASE_URL lacks rights on tables of Atrium. Grant it SELECT, INSERT, UPDATE and DELETE on all of them.',
};

/** Tables of other programs in the same schema usually have another owner. */
const countTablesWithoutRights = `
  select count(*) as count
  from pg_class atrium
  join pg_class tables on tables.relnamespace = atrium.relnamespace and tables.relowner = atrium.relowner
  where atrium.oid = to_regclass('schema_version') and tables.relkind in ('r', 'p')
    and not (has_table_privilege(tables.oid, 'SELECT') and has_table_privilege(tables.oid, 'INSERT')
      and has_table_privilege(tables.oid, 'UPDATE') and has_table_privilege(tables.oid, 'DELETE'))`;

/** Whether the role may read and change all tables, as far as the engine knows. */
export async function hasAllRights(connections: Connections): Promise<boolean> {
  try {
    const { rows } = await connections.query(countTablesWithoutRights);
    return Number((rows[0] as { count: string }).count) === 0;
  } catch (error) {
    if (isUnknownToEngine(error)) return true;
    throw error;
  }
}

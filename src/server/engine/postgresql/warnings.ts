import type pg from 'pg';
import type { ConnectionWarning, ConnectionWarningCode } from '#contract/data-sources/data-sources.ts';

interface Finding {
  readonly code: keyof typeof messages;
  /** The name of the role, table, function or foreign server. */
  readonly name: string;
}

/** What each finding means for the person who set up the connection. */
const messages = {
  superuser: (name) =>
    `The role ${name} is a superuser: a query can read files on the database server and run programs there.`,
  manages_roles: (name) => `The role ${name} can create roles and change their privileges (CREATEROLE).`,
  bypasses_row_security: (name) =>
    `The role ${name} sees all rows, regardless of row-level security (BYPASSRLS).`,
  replication: (name) => `The role ${name} can copy the whole database server (REPLICATION).`,
  server_files: (name) => `The role can read or write files on the database server, through ${name}.`,
  server_programs: (name) => `The role can run programs on the database server, through ${name}.`,
  writes_tables: (name) =>
    `The role can change tables, such as ${name}. Queries run in read-only transactions, which is the only ` +
    'protection for these tables.',
  other_connections: (name) =>
    `The role can call ${name}: a query can connect to other databases, and write to them and to this one.`,
  foreign_data: (name) => `The role can reach another server through ${name}.`,
  untrusted_language: (name) =>
    `The role can call ${name}, whose language can do anything that the system account of the database server can.`,
} satisfies Partial<Record<ConnectionWarningCode, (name: string) => string>>;

const advice = 'Use a role that can only read the tables that reports show.';

/** Returns the risks of the role that `client` connected as. A query can do everything that the role can. */
export async function findConnectionWarnings(client: pg.Client): Promise<ConnectionWarning[]> {
  const { rows } = await client.query<Finding>(findings);
  const firstOfEach = [...Map.groupBy(rows, ({ code }) => code)].map(
    ([code, [first]]) => [code, first?.name ?? ''] as const,
  );
  // A superuser can do everything else in the list.
  const superuser = firstOfEach.filter(([code]) => code === 'superuser');
  return (superuser.length > 0 ? superuser : firstOfEach).map(([code, name]) => ({
    code,
    message: `${messages[code](name)} ${advice}`,
  }));
}

/**
 * Covers every role that a query can switch to with `set_config('role', …)`. Of each kind of finding, the first name in
 * alphabetical order is shown.
 */
const findings = `
  WITH roles AS (
    SELECT oid, rolname, rolsuper, rolcreaterole, rolbypassrls, rolreplication
    FROM pg_catalog.pg_roles WHERE pg_has_role(oid, 'MEMBER')
  ), functions AS (
    SELECT proname::text AS name, pronamespace = 'pg_catalog'::regnamespace AS "isOfCatalog",
      lanname NOT IN ('internal', 'c') AND NOT lanpltrusted AS "isUntrusted"
    FROM pg_catalog.pg_proc JOIN pg_catalog.pg_language ON pg_language.oid = prolang
    WHERE EXISTS (
      SELECT FROM roles WHERE has_function_privilege(roles.oid, pg_proc.oid, 'EXECUTE')
        AND has_schema_privilege(roles.oid, pronamespace, 'USAGE'))
      AND (proname LIKE 'dblink%' OR proname IN ('pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'lo_import', 'lo_export')
        OR (lanname NOT IN ('internal', 'c') AND NOT lanpltrusted))
  ), tables AS (
    SELECT pg_class.oid, relkind, format('%I.%I', nspname, relname) AS name
    FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema')
      AND nspname NOT LIKE 'pg\\_%' AND EXISTS (
        SELECT FROM roles WHERE has_schema_privilege(roles.oid, pg_namespace.oid, 'USAGE'))
  )
  SELECT 'superuser' AS code, min(rolname::text) AS name FROM roles WHERE rolsuper HAVING count(*) > 0
  UNION ALL SELECT 'manages_roles', min(rolname::text) FROM roles WHERE rolcreaterole HAVING count(*) > 0
  UNION ALL SELECT 'bypasses_row_security', min(rolname::text) FROM roles WHERE rolbypassrls HAVING count(*) > 0
  UNION ALL SELECT 'replication', min(rolname::text) FROM roles WHERE rolreplication HAVING count(*) > 0
  UNION ALL SELECT 'server_programs', min(rolname::text) FROM roles WHERE rolname = 'pg_execute_server_program'
    HAVING count(*) > 0
  UNION ALL SELECT 'server_files', min(name) FROM (
    SELECT rolname::text AS name FROM roles WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files')
    UNION ALL SELECT name FROM functions WHERE "isOfCatalog"
  ) AS ways HAVING count(*) > 0
  UNION ALL SELECT 'writes_tables', min(name) FROM tables WHERE relkind <> 'm' AND EXISTS (
    SELECT FROM roles WHERE has_table_privilege(roles.oid, tables.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
      OR has_any_column_privilege(roles.oid, tables.oid, 'INSERT, UPDATE')) HAVING count(*) > 0
  UNION ALL SELECT 'other_connections', min(name) FROM functions WHERE name LIKE 'dblink%' HAVING count(*) > 0
  UNION ALL SELECT 'foreign_data', min(name) FROM (
    SELECT srvname::text AS name FROM pg_catalog.pg_foreign_server WHERE EXISTS (
      SELECT FROM roles WHERE has_server_privilege(roles.oid, pg_foreign_server.oid, 'USAGE'))
    UNION ALL SELECT name FROM tables WHERE relkind = 'f' AND EXISTS (
      SELECT FROM roles WHERE has_any_column_privilege(roles.oid, tables.oid, 'SELECT'))
  ) AS ways HAVING count(*) > 0
  UNION ALL SELECT 'untrusted_language', min(name) FROM functions WHERE "isUntrusted" HAVING count(*) > 0`;

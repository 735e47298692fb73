/**
 * The SQL after the columns of a query for the sessions of a PostgreSQL database that listen to announcements: their last statement
 * was either to listen or the periodic check of the connection.
 */
export const ofListeners =
  "from pg_stat_activity where query in ('listen atrium', 'select 1') and datname = current_database()";

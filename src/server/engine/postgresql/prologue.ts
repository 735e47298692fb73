import type pg from 'pg';

/**
 * Returns what a transaction that only reads begins with, by what the server knows. All of it lasts no longer than the
 * transaction, so that a pooler in between may give it to another session.
 */
export async function findPrologue(client: pg.Client): Promise<(timeoutMs: number) => string> {
  const more = (await canLookAfterClient(client)) ? lookAfterClient : '';
  return (timeoutMs) => `
  BEGIN TRANSACTION READ ONLY;
  SET LOCAL statement_timeout = ${timeoutMs};
  SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs};
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'iso_8601';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 1;
  ${more}`;
}

/** A query whose worker was killed ends with it, rather than when its time is over. */
const lookAfterClient = 'SET LOCAL client_connection_check_interval = 1000';

/** PostgreSQL knows of it since 14, and not on every system. */
const canLookAfterClient = (client: pg.Client): Promise<boolean> =>
  client.query("SELECT set_config('client_connection_check_interval', '1000', true)").then(
    () => true,
    () => false,
  );

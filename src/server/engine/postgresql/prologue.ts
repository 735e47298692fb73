import type pg from 'pg';

/**
 * Returns the statements that start a read-only transaction, with the settings that the server supports. They apply only to
 * the transaction, so that a pooler can give the connection to another session afterwards.
 */
export async function findPrologue(client: pg.Client): Promise<(timeoutMs: number) => string> {
  const clientCheck = (await supportsClientCheck(client)) ? checkClient : '';
  return (timeoutMs) => `
  BEGIN TRANSACTION READ ONLY;
  SET LOCAL statement_timeout = ${timeoutMs};
  SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs};
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'iso_8601';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 1;
  ${clientCheck}`;
}

/** Ends a query when its worker was killed, instead of at its time limit. */
const checkClient = 'SET LOCAL client_connection_check_interval = 1000';

/** PostgreSQL supports this since version 14, but not on every operating system. */
const supportsClientCheck = (client: pg.Client): Promise<boolean> =>
  client.query("SELECT set_config('client_connection_check_interval', '1000', true)").then(
    () => true,
    () => false,
  );

import pg from 'pg';
import { QueryFailure, queryStopped } from '../failure.ts';
import { offsetOfCodePoint } from '../text-offsets.ts';

/** Returns the failure for an error of PostgreSQL or of the connection to it. `sql` is the text that caused it. */
export function postgresqlFailure(error: unknown, signal: AbortSignal, sql = ''): QueryFailure {
  if (error instanceof QueryFailure) return error;
  if (signal.aborted) return queryStopped(error);
  if (!(error instanceof pg.DatabaseError)) return unreachable(error);
  const { code = '', message, hint, position } = error;
  const text = hint === undefined ? message : `${message} (${hint})`;
  if (code === '57014')
    return new QueryFailure('timeout', 'The database stopped the query.', { cause: error });
  if (code === '53200') return new QueryFailure('out_of_memory', text, { cause: error });
  // Connections, authorization, too many clients, shutdown.
  if (/^(08|28|3D|57P|53300)/.test(code)) return new QueryFailure('unreachable', text, { cause: error });
  return new QueryFailure('sql_error', text, {
    offset: position === undefined ? undefined : offsetOfCodePoint(sql, Number(position) - 1),
    cause: error,
  });
}

function unreachable(error: unknown): QueryFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new QueryFailure(
    'unreachable',
    messages[code] ?? messages[message] ?? `The database cannot be used: ${message}`,
    {
      cause: error,
    },
  );
}

const closed = 'The database closed the connection.';

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing is listening at the host and port of the database.',
  ECONNRESET: closed,
  EPIPE: closed,
  // Of pg, which gives it no code.
  'Connection terminated unexpectedly': closed,
  EHOSTUNREACH: 'The host of the database cannot be reached.',
  ENETUNREACH: 'The network of the database cannot be reached.',
  ETIMEDOUT: 'The database does not respond.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'The certificate of the database is self-signed, which `verify` does not accept unless this server trusts it.',
  ...Object.fromEntries(
    ['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].map(
      (code) => [
        code,
        'The certificate of the database was issued by an authority that this server does not trust.',
      ],
    ),
  ),
  CERT_HAS_EXPIRED: 'The certificate of the database has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the database is for another host.',
};

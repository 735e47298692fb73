import { isIP } from 'node:net';
import {
  editPostgresql,
  managePostgresql,
  mayKeepPassword,
  type PostgresqlAccount,
} from '#shared/data-sources/postgresql.ts';
import { quoteName } from '#shared/sql/names.ts';
import { domainName } from '../../../base/texts/email-address.ts';
import { AtriumError } from '../../../base/errors.ts';
import type { PostgresqlSource } from '../../../engine/postgresql/description.ts';
import { engine } from '../../../engine/postgresql/engine.ts';
import { findOutgoingError } from '../../../outgoing/outgoing-error.ts';
import type { SourceKind } from '../kind.ts';

/** A PostgreSQL server, or another server that speaks its protocol. */
export const postgresqlKind: SourceKind = {
  manage: managePostgresql,
  edit: editPostgresql,
  hasUploads: false,
  quoteName,
  readConnection(input) {
    if (input.kind !== 'postgresql' || input.connection === undefined)
      return {
        faults: [{ pointer: '/connection', code: 'required', message: 'is required for postgresql' }],
      };
    const { port, database, user, tls, password } = input.connection;
    const host = normalizeHost(input.connection.host);
    if (host !== undefined) return { connection: { host, port, database, user, tls }, password, faults: [] };
    return {
      // A path would be treated as a Unix socket on this machine.
      faults: [{ pointer: '/connection/host', code: 'host', message: 'must be a host name or an address' }],
    };
  },
  // Sound because only connections that `readConnection` has returned are stored for this kind.
  mayKeepPassword: (before: PostgresqlAccount, after: PostgresqlAccount) => mayKeepPassword(before, after),
  async describe(source, { findAddresses, openPassword }): Promise<PostgresqlSource> {
    if (source.connection === undefined)
      throw new TypeError(`The data source ${source.id} has no connection`);
    // Sound for the same reason.
    const { host, port, database, user, tls } = source.connection as PostgresqlAccount;
    const password = openPassword(source);
    try {
      const addresses = await findAddresses(host, port, source.organizationId);
      return { engine, host, port, database, user, password, tls, addresses };
    } catch (error) {
      if (findOutgoingError(error) === undefined) throw error;
      throw new AtriumError('source_unreachable', unreachableMessage({ host, port }));
    }
  },
};

/**
 * Returns the same message for an unknown host name, a forbidden address, and a port that doesn't respond. If they differed,
 * people could explore the server's network.
 */
const unreachableMessage = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}:${port} cannot be reached: the name does not exist, nothing responds there, or it is in a private network, ` +
  'which the operator of this server has to allow with ATRIUM_SOURCE_PRIVATE_HOSTS.';

function normalizeHost(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
  return isIP(bare) > 0 ? bare : domainName(bare);
}

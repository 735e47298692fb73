import { isIP } from 'node:net';
import {
  managePostgresql,
  mayKeepPassword,
  type PostgresqlAccount,
} from '#shared/data-sources/postgresql.ts';
import { quoteName } from '#shared/sql/names.ts';
import { domainName } from '../../../base/email-address.ts';
import { AtriumError } from '../../../base/errors.ts';
import type { PostgresqlSource } from '../../../engine/postgresql/description.ts';
import { engine } from '../../../engine/postgresql/engine.ts';
import { findOutgoingError } from '../../../outgoing/outgoing-error.ts';
import type { SourceKind } from '../kind.ts';

/** A PostgreSQL server, or another that speaks its protocol. */
export const postgresqlKind: SourceKind = {
  manage: managePostgresql,
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
      // A path would be taken for a socket of this machine.
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
      const addresses = await findAddresses(host, port);
      return { engine, host, port, database, user, password, tls, addresses };
    } catch (error) {
      if (findOutgoingError(error) === undefined) throw error;
      throw new AtriumError('source_unreachable', unreachableWords({ host, port }));
    }
  },
};

/**
 * One text for an unknown name, an address that must not be reached, and a port that does not answer: if they differed,
 * people could find out what is inside the server's network.
 */
const unreachableWords = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}:${port} cannot be reached: DNS does not know the name, nothing answers there, or it leads to a private ` +
  'network, which the operator of this server has to open by ATRIUM_SOURCE_PRIVATE_HOSTS.';

function normalizeHost(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
  return isIP(bare) > 0 ? bare : domainName(bare);
}

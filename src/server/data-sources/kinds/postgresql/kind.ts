import { isIP } from 'node:net';
import type { PostgresqlSource } from '../../../engine/postgresql/description.ts';
import { engine } from '../../../engine/postgresql/engine.ts';
import { AtriumError } from '../../../base/errors.ts';
import { domainName } from '../../../base/email-address.ts';
import { findOutgoingError } from '../../../outgoing/outgoing-error.ts';
import type { SourceKind } from '../kind.ts';

/** A PostgreSQL server, or what speaks its protocol. */
export const postgresqlKind: SourceKind = {
  manage: 'data_source.manage_server',
  hasUploads: false,
  readConnection(input) {
    if (input === undefined) {
      const fault = { pointer: '/connection', code: 'required', message: 'is required for postgresql' };
      return { connection: undefined, faults: [fault] };
    }
    const { port, database, user, tls } = input;
    const host = normalizeHost(input.host);
    if (host !== undefined) return { connection: { host, port, database, user, tls }, faults: [] };
    // A path would be taken for a socket of this machine.
    const fault = { pointer: '/connection/host', code: 'host', message: 'must be a host name or an address' };
    return { connection: undefined, faults: [fault] };
  },
  async describe(source, { findAddresses, openPassword }): Promise<PostgresqlSource> {
    const { connection } = source;
    if (connection === undefined) throw new TypeError(`The data source ${source.id} has no connection`);
    const { host, port, database, user, tls } = connection;
    const password = openPassword(source);
    try {
      const addresses = await findAddresses(host, port);
      return { engine, host, port, database, user, password, tls, addresses };
    } catch (error) {
      if (findOutgoingError(error) === undefined) throw error;
      throw new AtriumError('source_unreachable', unreachableWords(connection));
    }
  },
};

/**
 * One text for a name that is unknown, an address that may not be asked, and a port that does not answer: told apart,
 * they would show people what there is inside of the server's network.
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

import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { PrivateHost } from '../settings/values.ts';
import { DnsError } from './dns-query.ts';
import { OutgoingError } from './outgoing-error.ts';
import { isListedFor } from './private-hosts.ts';
import { isPublicAddress } from './public-address.ts';
import { createAddressResolver, type ResolveAddresses } from './public-lookup.ts';

/** Returns the addresses that a host resolves to, sorted, for an organization. Throws `OutgoingError`. */
export type FindAddresses = (host: string, port: number, organizationId: string) => Promise<string[]>;

const dnsTimeoutMs = 4_000;
/** How long addresses are cached, so that not every query needs DNS. */
const cacheMs = 30_000;
const maxCached = 1_000;

/**
 * Returns the checked addresses of a host that a user entered, for protocols other than HTTP. Connections use these
 * addresses without another lookup, so a name can't resolve to something else between check and use (DNS rebinding).
 * `privateHosts` may resolve to private addresses; the system looks their names up.
 */
export function createAddressCheck(
  privateHosts: readonly PrivateHost[],
  {
    resolvePublic = createAddressResolver({ servers: [], deadlineMs: dnsTimeoutMs }),
    lookupPrivate = (host) => systemLookup(host, { all: true }),
    now = () => performance.now(),
  }: {
    readonly resolvePublic?: ResolveAddresses;
    readonly lookupPrivate?: ResolveAddresses;
    readonly now?: () => number;
  } = {},
): FindAddresses {
  const cache = new Map<string, { readonly addresses: string[]; readonly expiresAt: number }>();

  async function find(host: string, isPrivate: boolean): Promise<string[]> {
    const addresses =
      isIP(host) > 0 ? [host] : await resolve(host, isPrivate ? lookupPrivate : resolvePublic);
    if (addresses.length === 0 || !(isPrivate || addresses.every(isPublicAddress))) {
      throw new OutgoingError(
        'address_refused',
        `Not allowed to connect to ${host}: it is in a private network.`,
      );
    }
    return addresses.toSorted();
  }

  return async (host, port, organizationId) => {
    const isPrivate = isListedFor(privateHosts, { host, port }, organizationId);
    const key = `${isPrivate ? 'private' : 'public'} ${host} ${port}`;
    const cached = cache.get(key);
    if (cached !== undefined && cached.expiresAt > now()) return cached.addresses;
    cache.delete(key);
    const addresses = await find(host, isPrivate);
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, { addresses, expiresAt: now() + cacheMs });
    return addresses;
  };
}

async function resolve(host: string, resolveAddresses: ResolveAddresses): Promise<string[]> {
  try {
    return (await resolveAddresses(host)).map(({ address }) => address);
  } catch (error) {
    const reason = error instanceof DnsError ? error.message : 'its name was not found';
    throw new OutgoingError('unreachable', `${host} cannot be looked up: ${reason}`, error);
  }
}

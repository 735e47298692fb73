import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { HostPort } from '../config.ts';
import { DnsError } from './dns-question.ts';
import { OutgoingError } from './outgoing-error.ts';
import { isPublicAddress } from './public-address.ts';
import { createAddressResolver, type ResolveAddresses } from './public-lookup.ts';

/** Returns the addresses that a host leads to, sorted. Throws `OutgoingError`. */
export type FindAddresses = (host: string, port: number) => Promise<string[]>;

const dnsTimeoutMs = 4_000;
/** So long addresses are believed, so that not every query asks DNS first. */
const rememberedMs = 30_000;
const maxRemembered = 1_000;

/**
 * Returns the one way to the addresses of a host that users typed, for what speaks no HTTP: whoever connects goes to
 * these and looks nothing up again, so a name that changes its mind between check and use gains nothing.
 * `privateHosts` may lead to private addresses; their names are looked up as the system does.
 */
export function createAddressCheck(
  privateHosts: readonly HostPort[],
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
  const remembered = new Map<string, { readonly addresses: string[]; readonly until: number }>();

  async function find(host: string, port: number): Promise<string[]> {
    const isPrivate = privateHosts.some((allowed) => allowed.host === host && allowed.port === port);
    const addresses =
      isIP(host) > 0 ? [host] : await resolve(host, isPrivate ? lookupPrivate : resolvePublic);
    if (addresses.length === 0 || !(isPrivate || addresses.every(isPublicAddress))) {
      throw new OutgoingError('address_refused', `${host} leads to a private network, and is not asked.`);
    }
    return addresses.toSorted();
  }

  return async (host, port) => {
    const key = `${host} ${port}`;
    const known = remembered.get(key);
    if (known !== undefined && known.until > now()) return known.addresses;
    remembered.delete(key);
    const addresses = await find(host, port);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, { addresses, until: now() + rememberedMs });
    return addresses;
  };
}

async function resolve(host: string, resolveAddresses: ResolveAddresses): Promise<string[]> {
  try {
    return (await resolveAddresses(host)).map(({ address }) => address);
  } catch (error) {
    const why = error instanceof DnsError ? error.message : 'its name is not known';
    throw new OutgoingError('unreachable', `${host} cannot be looked up: ${why}`, error);
  }
}

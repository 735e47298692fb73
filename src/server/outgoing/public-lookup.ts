import type { LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { queryDns, dnsCodeOf, isNoRecord, type DnsOptions } from './dns-query.ts';
import { OutgoingError } from './outgoing-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Returns all addresses of a name. */
export type ResolveAddresses = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Returns a resolver that uses only DNS: neither the system's hosts file nor its search domains, so that the name that
 * a user entered means the same as everywhere on the internet.
 */
export function createAddressResolver(options: DnsOptions): ResolveAddresses {
  return async (hostname) => {
    // Such names must not be sent to DNS (RFC 6761, section 6.3).
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return [{ address: '127.0.0.1', family: 4 }];
    return queryDns(options, (resolver) => resolveBoth(resolver, hostname));
  };
}

/** Queries the addresses of both families at once; one of them is enough. */
async function resolveBoth(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = results.flatMap((result, index) =>
    result.status === 'fulfilled'
      ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  if (addresses.length > 0) return addresses;
  const failures: unknown[] = [];
  for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  throw failures.find((failure) => !isNoRecord(dnsCodeOf(failure))) ?? failures[0];
}

/** Returns a lookup for connections that refuses a name if any of its addresses is not public. */
export function createPublicLookup(resolveAddresses: ResolveAddresses): LookupFunction {
  const lookup = callbackify(resolveAddresses);
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(
          new OutgoingError(
            'address_refused',
            `Not allowed to connect to ${hostname}: it is in a private network.`,
          ),
          [],
        );
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

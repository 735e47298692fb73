import type { LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { askDns, dnsCodeOf, isNoRecord, type DnsOptions } from './dns-question.ts';
import { OutgoingError } from './outgoing-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Returns every address of a name. */
export type ResolveAddresses = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Returns how to ask DNS, and nothing else, for the addresses of a name: neither the system's hosts file nor its
 * search domains count, so that what a user typed is the name that everybody knows by it.
 */
export function createAddressResolver(options: DnsOptions): ResolveAddresses {
  return async (hostname) => {
    // Nobody is to be asked about such a name (RFC 6761, section 6.3).
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return [{ address: '127.0.0.1', family: 4 }];
    return askDns(options, (resolver) => resolveBoth(resolver, hostname));
  };
}

/** Asks for the addresses of both families at once; those of one are enough. */
async function resolveBoth(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  if (addresses.length > 0) return addresses;
  const failures: unknown[] = [];
  for (const answer of answers) if (answer.status === 'rejected') failures.push(answer.reason);
  throw failures.find((failure) => !isNoRecord(dnsCodeOf(failure))) ?? failures[0];
}

/** Returns a lookup for connections, which refuses a name of which any address is not public. */
export function createPublicLookup(resolveAddresses: ResolveAddresses): LookupFunction {
  const lookup = callbackify(resolveAddresses);
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(
          new OutgoingError('address_refused', `${hostname} leads to a private network, and is not asked.`),
          [],
        );
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Actor } from '../../base/actor.ts';

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

/**
 * Whether an address is in one of the networks, or there are none. IPv6 addresses of IPv4 hosts count as IPv4 addresses (RFC 4291,
 * section 2.5.5.2).
 */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return networks.some((text) => {
    const network = parseNetwork(text);
    // The library throws for networks of the other kind.
    return network !== undefined && network[0].kind() === parsed.kind() && matches(parsed, network);
  });
}

/** Returns the network of an address or range (CIDR, RFC 4632, section 3.1), or undefined if the text is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return undefined;
  const parsed = ipaddr.process(address);
  const longest = parsed.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return [parsed, longest];
  const isNumber = /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest;
  return isNumber ? [parsed, Number(prefix)] : undefined;
}

const matches = (address: ipaddr.IPv4 | ipaddr.IPv6, network: Network): boolean =>
  address instanceof ipaddr.IPv4 ? address.match(network) : address.match(network);

/** Returns the organizations that can't be used from the address of a client, as a member of `Actor`. */
export function closedTo(
  client: { readonly ip: string },
  organizations: readonly { readonly organizationId: string; readonly addresses: readonly string[] }[],
): Pick<Actor, 'closedOrganizationIds'> {
  const closed = organizations.filter(
    ({ addresses }) => addresses.length > 0 && !isAllowed(client.ip, addresses),
  );
  return closed.length === 0
    ? {}
    : { closedOrganizationIds: closed.map(({ organizationId }) => organizationId) };
}

/** Returns the addresses that a session policy allows, as they are stored: a JSON array, or null without a policy. */
export const readAddresses = (stored: string | null): string[] =>
  stored === null ? [] : (JSON.parse(stored) as string[]);

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

/** Whether an address is in one of the networks, or there are none. IPv6 addresses of IPv4 hosts count as those (RFC 4291, section 2.5.5.2). */
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

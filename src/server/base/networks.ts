import ipaddr from 'ipaddr.js';

/**
 * Returns the network of an address. People with one IPv6 address have the 2^64 of its network (RFC 6177), which count
 * as one.
 */
export const networkOf = (address: string): string => prefixOf(address, 4);

/** Returns the site of an address. People with a site have the 2^16 networks of its prefix (RFC 6177, section 2). */
export const siteOf = (address: string): string => prefixOf(address, 3);

/** Returns the first 16-bit parts of an IPv6 address, or an IPv4 address unchanged. */
function prefixOf(address: string, parts: number): string {
  if (!ipaddr.IPv6.isValid(address) || address.includes('.')) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, parts).join(':');
}

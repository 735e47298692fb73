import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The virtual public address where Azure hosts offer metadata to their guests. */
const azureHost = '168.63.129.16';
/** All assigned IPv6 addresses (RFC 4291, section 2.4); others can represent IPv4 addresses. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address belongs to the public internet: not loopback, private, link-local or mapped addresses. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(globalUnicast) : parsed.toString() !== azureHost;
}

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The virtual public address at which the hosts of Azure tell their guests about themselves. */
const azureHost = '168.63.129.16';
/** All that is handed out of IPv6 (RFC 4291, section 2.4); outside lie addresses that stand for others of IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address belongs to the public internet; no to loopback, private, link-local and mapped ones. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(globalUnicast) : parsed.toString() !== azureHost;
}

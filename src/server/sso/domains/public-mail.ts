import { domainToASCII } from 'node:url';
import mailProviders from 'email-providers/all.json' with { type: 'json' };

/** Public providers that are missing from the list. */
const missing = ['fastmail.com', 'tutanota.com', 'tuta.io', 'tutamail.com', 'duck.com'];

let names: ReadonlySet<string> | undefined;

/**
 * Whether a domain belongs to a public email provider: anyone can get an address there, so no organization can verify
 * it. `domain` is in lower case and ASCII.
 */
export function isPublicMailDomain(domain: string): boolean {
  names ??= new Set([...mailProviders.map(domainToASCII), ...missing]);
  return names.has(domain);
}

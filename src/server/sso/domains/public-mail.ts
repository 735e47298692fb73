import { domainToASCII } from 'node:url';
import mailProviders from 'email-providers/all.json' with { type: 'json' };

/** Public providers that the list leaves out. */
const leftOut = ['fastmail.com', 'tutanota.com', 'tuta.io', 'tutamail.com', 'duck.com'];

let names: ReadonlySet<string> | undefined;

/**
 * Whether a domain is a public mail provider's: its mailboxes belong to anybody, so no organization can prove to own
 * it. `domain` is in lower case and ASCII.
 */
export function isPublicMailDomain(domain: string): boolean {
  names ??= new Set([...mailProviders.map(domainToASCII), ...leftOut]);
  return names.has(domain);
}

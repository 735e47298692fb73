import { Resolver } from 'node:dns/promises';
import { hash } from 'node:crypto';
import type { HostPort } from '../config.ts';

/** The TXT record that proves a domain to belong to an organization. */
export interface DomainRecord {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the record an organization has to publish. It is no secret: what proves the domain is that somebody with
 * control of its DNS published the name of this one organization.
 */
export function domainRecord(organizationId: string, domain: string): DomainRecord {
  const token = hash('sha256', `atrium domain ${organizationId} ${domain}`, 'base64url').slice(0, 32);
  return { type: 'TXT', name: `_atrium.${domain}`, value: `atrium-domain-verification=${token}` };
}

/** What DNS answers for a name: its TXT records, none, or why it does not tell. */
export type TxtAnswer = { readonly records: string[] } | { readonly failure: string };

export type ResolveTxt = (name: string) => Promise<TxtAnswer>;

/** Returns how to ask DNS for TXT records: `servers`, or the system's when the list is empty. Within 5 s. */
export function createTxtResolver(servers: readonly HostPort[]): ResolveTxt {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0)
    resolver.setServers(
      servers.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)),
    );
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name);
      return { records: records.map((parts) => parts.join('')) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      // The name is not there, or has no TXT record: an answer. Anything else is none.
      if (code === 'ENOTFOUND' || code === 'ENODATA') return { records: [] };
      return { failure: code === 'ETIMEOUT' ? 'DNS does not answer in time' : `DNS answers ${code}` };
    }
  };
}

import { hash } from 'node:crypto';
import type { HostPort } from '../../config.ts';
import { askDns, DnsError } from '../../outgoing/dns-question.ts';

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

/** Asks DNS for the TXT records of a name. Never throws: a failure is an answer of its own. */
export type ResolveTxt = (name: string) => Promise<TxtAnswer>;

/** Returns how to ask DNS for TXT records: `servers`, or the system's when the list is empty. Within 5 s. */
export function createTxtResolver(servers: readonly HostPort[], deadlineMs = 5_000): ResolveTxt {
  return async (name) => {
    try {
      const records = await askDns({ servers, deadlineMs }, (resolver) => resolver.resolveTxt(name));
      return { records: records.map((parts) => parts.join('')) };
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
      return error.isNoRecord ? { records: [] } : { failure: error.message };
    }
  };
}

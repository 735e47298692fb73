import { hash } from 'node:crypto';
import type { HostPort } from '../../settings/values.ts';
import { queryDns, DnsError } from '../../outgoing/dns-query.ts';

/** The TXT record that verifies a domain for an organization. */
export interface DomainRecord {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the record that an organization has to publish. It is not a secret: it verifies the domain because only
 * people who control its DNS can publish it.
 */
export function domainRecord(organizationId: string, domain: string): DomainRecord {
  const token = hash('sha256', `atrium domain ${organizationId} ${domain}`, 'base64url').slice(0, 32);
  return { type: 'TXT', name: `_atrium.${domain}`, value: `atrium-domain-verification=${token}` };
}

/** The result of a DNS query: the TXT records of a name, if any, or why the query failed. */
export type TxtResult = { readonly records: string[] } | { readonly failure: string };

/** Queries DNS for the TXT records of a name. Never throws: a failure is a result. */
export type ResolveTxt = (name: string) => Promise<TxtResult>;

/** Returns a resolver of TXT records that queries `servers`, or the system's if the list is empty, for at most 5 s. */
export function createTxtResolver(servers: readonly HostPort[], deadlineMs = 5_000): ResolveTxt {
  return async (name) => {
    try {
      const records = await queryDns({ servers, deadlineMs }, (resolver) => resolver.resolveTxt(name));
      return { records: records.map((parts) => parts.join('')) };
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
      return error.isNoRecord ? { records: [] } : { failure: error.message };
    }
  };
}

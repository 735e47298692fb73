import { Resolver } from 'node:dns/promises';
import type { HostPort } from '../settings/values.ts';

export interface DnsOptions {
  /** The name servers to query; the system's if the list is empty. */
  readonly servers: readonly HostPort[];
  /** The time limit of the whole query. */
  readonly deadlineMs: number;
}

/** Why a DNS query failed; `message` is for an administrator. */
export class DnsError extends Error {
  override readonly name = 'DnsError';
  /** Whether the name does not exist or has no such record, which is a result rather than a failure. */
  readonly isNoRecord: boolean;
  constructor(code: string, cause?: unknown) {
    super(explain(code), { cause });
    this.isNoRecord = isNoRecord(code);
  }
}

/**
 * Returns the result of `query`, which gets its own resolver, and throws its errors as `DnsError`. Queries that are
 * still pending at the deadline are cancelled. They don't block a thread, unlike the system's lookup, whose few threads
 * could all be blocked by the slow name server of one organization.
 */
export async function queryDns<Result>(
  { servers, deadlineMs }: DnsOptions,
  query: (resolver: Resolver) => Promise<Result>,
): Promise<Result> {
  // The second try waits twice as long as the first. The deadline is separate, since these limits apply to each server.
  const resolver = new Resolver({ timeout: Math.ceil(deadlineMs / 3), tries: 2 });
  if (servers.length > 0)
    resolver.setServers(
      servers.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)),
    );
  const timer = setTimeout(() => resolver.cancel(), deadlineMs);
  try {
    return await query(resolver);
  } catch (error) {
    throw new DnsError(dnsCodeOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the code of a resolver's error, such as `ENOTFOUND`. */
export const dnsCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

export const isNoRecord = (code: string): boolean => code === 'ENOTFOUND' || code === 'ENODATA';

function explain(code: string): string {
  if (isNoRecord(code)) return 'its name was not found in DNS';
  return code === 'ETIMEOUT' || code === 'ECANCELLED'
    ? 'DNS did not respond in time'
    : `DNS returned ${code}`;
}

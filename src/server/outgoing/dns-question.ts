import { Resolver } from 'node:dns/promises';
import type { HostPort } from '../config.ts';

export interface DnsOptions {
  /** The system's when the list is empty. */
  readonly servers: readonly HostPort[];
  /** For the question as a whole, whatever the servers do. */
  readonly deadlineMs: number;
}

/** Why DNS tells nothing; `message` is for an administrator. */
export class DnsError extends Error {
  override readonly name = 'DnsError';
  /** The name is not there, or has no record of the kind: an answer, unlike all else. */
  readonly isNoRecord: boolean;
  constructor(code: string, cause?: unknown) {
    super(explain(code), { cause });
    this.isNoRecord = isNoRecord(code);
  }
}

/**
 * Returns what `ask` learns from DNS by a resolver of its own, and throws `DnsError` for what that throws. Whatever is
 * still asked at the deadline is cancelled. Such questions wait on no thread, unlike the system's lookup, of whose few
 * threads the name server of one organization could hold all.
 */
export async function askDns<Answer>(
  { servers, deadlineMs }: DnsOptions,
  ask: (resolver: Resolver) => Promise<Answer>,
): Promise<Answer> {
  // The second try waits twice as long as the first. A deadline of its own, since each server counts by itself there.
  const resolver = new Resolver({ timeout: Math.ceil(deadlineMs / 3), tries: 2 });
  if (servers.length > 0)
    resolver.setServers(
      servers.map(({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)),
    );
  const timer = setTimeout(() => resolver.cancel(), deadlineMs);
  try {
    return await ask(resolver);
  } catch (error) {
    throw new DnsError(dnsCodeOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the code of an error of a resolver, as `ENOTFOUND`. */
export const dnsCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

export const isNoRecord = (code: string): boolean => code === 'ENOTFOUND' || code === 'ENODATA';

function explain(code: string): string {
  if (isNoRecord(code)) return 'its name is not known to DNS';
  return code === 'ETIMEOUT' || code === 'ECANCELLED' ? 'DNS does not answer in time' : `DNS answers ${code}`;
}

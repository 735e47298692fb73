import type { HostPort, PrivateHost } from '../settings/values.ts';

/**
 * Whether a host and port is in a list of the operator for an organization. Each purpose has a list of its own: what one organization
 * may use for its sign-ins is nothing that another one's webhooks, or its own, may reach.
 */
export const isListedFor = (
  privateHosts: readonly PrivateHost[],
  { host, port }: HostPort,
  organizationId: string,
): boolean =>
  privateHosts.some(
    (entry) =>
      entry.host === host &&
      entry.port === port &&
      [undefined, '*', organizationId].includes(entry.organizationId),
  );

/** Returns the entries of a list that don't say whom they are for. */
export const withoutOwner = (privateHosts: readonly PrivateHost[]): string[] =>
  privateHosts
    .filter(({ organizationId }) => organizationId === undefined)
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);

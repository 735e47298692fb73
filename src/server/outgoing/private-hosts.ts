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
      (entry.organizationId === undefined || entry.organizationId === organizationId),
  );

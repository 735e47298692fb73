import { withoutOwner } from '../../outgoing/private-hosts.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Reader } from '../../storage/database.ts';
import { hasSeveralOrganizations } from '../store.ts';

/**
 * Returns a warning for each list of private hosts that doesn't say which organization an entry is for, on a server with several: each
 * of them may use the host.
 */
export async function warnOfSharedHosts(
  reader: Reader,
  { ssoPrivateHosts, sourcePrivateHosts }: Pick<Settings, 'ssoPrivateHosts' | 'sourcePrivateHosts'>,
): Promise<string[]> {
  const lists = {
    ATRIUM_SSO_PRIVATE_HOSTS: ssoPrivateHosts,
    ATRIUM_SOURCE_PRIVATE_HOSTS: sourcePrivateHosts,
  };
  const shared = Object.entries(lists).flatMap(([variable, entries]) => {
    const hosts = withoutOwner(entries);
    return hosts.length === 0 ? [] : [{ variable, hosts: hosts.join(', ') }];
  });
  if (shared.length === 0 || !(await hasSeveralOrganizations(reader))) return [];
  return shared.map(
    ({ variable, hosts }) =>
      `${variable}: every organization may use ${hosts}. Add the ID of the one that it is for, as in host:port=ORGANIZATION_ID, or =* for all.`,
  );
}

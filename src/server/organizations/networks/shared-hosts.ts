import { withoutOwner } from '../../outgoing/private-hosts.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Reader } from '../../storage/database.ts';
import { hasSeveralOrganizations } from '../store.ts';

/** A list of private hosts that doesn't say which organization an entry is for. */
export interface SharedHosts {
  readonly message: string;
  readonly remedy: string;
}

/** Returns the lists of private hosts that every organization of a server with several may use, since they don't say whom they are for. */
export async function findSharedHosts(
  reader: Reader,
  { ssoPrivateHosts, sourcePrivateHosts }: Pick<Settings, 'ssoPrivateHosts' | 'sourcePrivateHosts'>,
): Promise<SharedHosts[]> {
  const lists = {
    ATRIUM_SSO_PRIVATE_HOSTS: ssoPrivateHosts,
    ATRIUM_SOURCE_PRIVATE_HOSTS: sourcePrivateHosts,
  };
  const shared = Object.entries(lists).flatMap(([variable, entries]) => {
    const hosts = withoutOwner(entries);
    return hosts.length === 0 ? [] : [{ variable, hosts: hosts.join(', ') }];
  });
  if (shared.length === 0 || !(await hasSeveralOrganizations(reader))) return [];
  return shared.map(({ variable, hosts }) => ({
    message: `${variable}: every organization may use ${hosts}.`,
    remedy: 'Add the ID of the one that it is for, as in host:port=ORGANIZATION_ID, or =* for all.',
  }));
}

import { normalizeEmail } from '../../base/texts/email-address.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
import { nextTurn } from '../../base/turns.ts';
import { listUserIdsByEmail } from '../../organizations/users.ts';
import type { Reader } from '../../storage/database.ts';
import { findProvisioningDirectory } from '../../sso/provisioning/directory.ts';
import { findEqualities, matches, type CheckedFilter } from '../protocol/filter.ts';
import { findInChunks, type Listed, type Range } from '../protocol/listing.ts';
import { isManaged, toScimUser, type ScimUser } from './users.ts';
import {
  findIdByUserName,
  selectAttributes,
  selectIdsByExternalId,
  selectPeople,
  selectVisibleIds,
} from './store.ts';

/** Lists the people that SCIM manages or may manage, by ID. */
export async function listScimUsers(
  reader: Reader,
  organizationId: string,
  { filter, range }: { readonly filter: CheckedFilter | undefined; readonly range: Range },
  toResource: (user: ScimUser) => object,
): Promise<Listed<ScimUser>> {
  const directory = await findProvisioningDirectory(reader, organizationId);
  const read = async (ids: readonly string[]): Promise<ScimUser[]> =>
    (await selectPeople(reader, organizationId, ids))
      .filter((row) => isManaged(row, directory))
      .map(toScimUser);
  const found = filter && (await lookUp(reader, organizationId, filter));
  const ids =
    found ??
    (await selectVisibleIds(reader, {
      organizationId,
      configurationId: directory?.configuration.id ?? '',
    }));
  const isMatch = filter && ((user: ScimUser) => matches(filter, toResource(user)));
  return findInChunks(keyOfOrganization(organizationId), ids, range, read, isMatch);
}

/** Returns the IDs among which all matches of a filter are, found by an index; undefined if everyone has to be tried. */
async function lookUp(
  reader: Reader,
  organizationId: string,
  filter: CheckedFilter,
): Promise<string[] | undefined> {
  for (const { path, value } of findEqualities(filter)) {
    switch (path.replace('urn:ietf:params:scim:schemas:core:2.0:user:', '')) {
      case 'id':
        return [value];
      case 'username': {
        const id = await findIdByUserName(reader, { organizationId, value: value.toLowerCase() });
        // People that SCIM has not changed yet have their address as user name.
        return id === undefined ? idsByEmail(reader, value) : [id];
      }
      case 'externalid':
        return selectIdsByExternalId(reader, { organizationId, value });
      case 'emails':
      case 'emails.value':
        return [
          ...new Set([
            ...(await idsByEmail(reader, value)),
            ...(await idsByAttributes(reader, organizationId, value)),
          ]),
        ].toSorted();
      default:
    }
  }
  return undefined;
}

/** So few that even large attributes don't keep others waiting. */
const portionSize = 100;

/**
 * Returns the people that SCIM stored with one of their addresses. Not by LIKE: in attributes that consist of quotes, it tries each
 * of them with all characters of the address.
 */
async function idsByAttributes(reader: Reader, organizationId: string, address: string): Promise<string[]> {
  const wanted = address.toLowerCase();
  const ids: string[] = [];
  for (let after = ''; ;) {
    const rows = await selectAttributes(reader, { organizationId, after, limit: portionSize });
    for (const { id, attributes } of rows) {
      // Sound because the attributes are those of the schema.
      const { emails = [] } = JSON.parse(attributes) as { emails?: readonly { readonly value?: string }[] };
      if (emails.some(({ value }) => value?.toLowerCase() === wanted)) ids.push(id);
    }
    if (rows.length < portionSize) return ids;
    after = rows.at(-1)?.id ?? '';
    await nextTurn(keyOfOrganization(organizationId));
  }
}

async function idsByEmail(reader: Reader, text: string): Promise<string[]> {
  const email = normalizeEmail(text);
  return email === undefined ? [] : listUserIdsByEmail(reader, email);
}

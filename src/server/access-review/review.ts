import type { AccessGrant } from '#contract/organizations/access-review.ts';
import type { Role } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import {
  type FirstRows,
  invalidCursor,
  maxPageBytes,
  type Page,
  type PageRequest,
  toPage,
} from '../base/paging.ts';
import { endOf } from '../credentials/validity.ts';
import { requirePermission } from '../organizations/authorization.ts';
import type { Reader } from '../storage/database.ts';
import { grantLists, selectGrants, type GrantList, type GrantRow } from './store.ts';

/** Which grants a review shows: those of a member, those on a kind of object, or those on one object. */
export interface ReviewFilter {
  readonly userId?: string | undefined;
  readonly objectKind?: AccessGrant['object']['kind'] | undefined;
  readonly objectId?: string | undefined;
}

/** The form of a grant's key: its list, and the values by which the list is sorted, separated by colons. */
export const grantKey = /^[a-z_-]{4,20}:.{1,400}$/su;

/** Returns a page of the grants of an organization. Requires permission to review access. */
export async function listGrants(
  { reader, clock }: { readonly reader: Reader; readonly clock: Clock },
  actor: Actor,
  { organizationId, ...filter }: ReviewFilter & { readonly organizationId: string },
  page: PageRequest,
): Promise<Page<AccessGrant>> {
  await requirePermission(reader, actor, organizationId, 'access.review');
  const selection = {
    organizationId,
    userId: filter.userId,
    objectKind: filter.objectKind,
    objectId: filter.objectId,
    now: timestamp(clock()),
  };
  const { list: first, after } = readKey(page.after);
  const grants: AccessGrant[] = [];
  let bytesLeft = maxPageBytes;
  let hasMore = false;
  for (const list of grantLists.slice(grantLists.indexOf(first))) {
    if (!mayHave(list, filter.objectKind)) continue;
    const found = await selectGrants(
      reader,
      list,
      {
        ...selection,
        after: list === first ? after : ['', '', ''],
        // If the page is full, it only asks whether there is more.
        limit: bytesLeft > 0 ? page.limit - grants.length : 0,
      },
      bytesLeft,
    );
    grants.push(...found.rows.map((row) => toGrant(list, row)));
    bytesLeft -= found.sizeBytes;
    ({ hasMore } = found);
    if (hasMore) break;
  }
  return toPage({ rows: grants, hasMore }, ({ id }) => id);
}

/** How many grants of an export are read at once. */
const exportedAtOnce = 200;

/** Returns the grants that follow one in an export. */
export async function readGrants(
  dependencies: { readonly reader: Reader; readonly clock: Clock },
  actor: Actor,
  scope: ReviewFilter & { readonly organizationId: string },
  after?: string,
): Promise<FirstRows<AccessGrant>> {
  const { items, nextCursor } = await listGrants(dependencies, actor, scope, {
    limit: exportedAtOnce,
    after,
  });
  return { rows: items, hasMore: nextCursor !== undefined };
}

const isList = (text: string): text is GrantList => (grantLists as string[]).includes(text);

/** Reads the key of the last grant of a page. Throws `invalid_parameters` if there is no such list. */
function readKey(key = `${grantLists[0] ?? ''}:`): {
  list: GrantList;
  after: readonly [string, string, string];
} {
  const [list = '', first = '', second = '', ...rest] = key.split(':');
  if (!isList(list)) throw invalidCursor();
  // The last part may be a group, whose name may contain colons.
  return { list, after: [first, second, rest.join(':')] };
}

/** The kinds of objects of lists that have only one. */
const kindOfList: Readonly<Partial<Record<GrantList, AccessGrant['object']['kind']>>> = {
  role: 'organization',
  token: 'organization',
  link: 'dashboard',
  'owner-folder': 'folder',
  'owner-dashboard': 'dashboard',
  'owner-report': 'report',
  'owner-data_source': 'data_source',
};

/** Returns whether a list can have grants on a kind of object. */
function mayHave(list: GrantList, kind: ReviewFilter['objectKind']): boolean {
  const known = kindOfList[list];
  return kind === undefined || known === kind || (known === undefined && kind !== 'organization');
}

/** Returns a row as the API shows it. The casts are sound because the columns only ever hold values of the contract. */
function toGrant(list: GrantList, row: GrantRow): AccessGrant {
  const object = {
    kind: kindOfList[list] ?? (row.objectKind as AccessGrant['object']['kind']),
    id: row.objectId,
    name: row.objectName ?? '',
  };
  return {
    id: `${list}:${keyOf(list, row)}`,
    reason: reasonOf(list, row),
    grantee: granteeOf(row),
    object,
    access: accessOf(list, row),
    ...(row.scopes !== undefined && { scopes: row.scopes.split(' ') as AccessGrant['scopes'] & {} }),
    ...(row.tokenId !== undefined && { tokenId: row.tokenId, tokenName: row.tokenName ?? '' }),
    ...(list === 'group' && { groupId: row.groupId ?? '', groupName: row.groupName ?? '' }),
    ...(isText(row.since) && { since: row.since }),
    ...(isText(row.granterId) && { grantedBy: { id: row.granterId, name: row.granterName ?? '' } }),
    ...(isText(row.lastSeenAt) && { lastSeenAt: row.lastSeenAt }),
    ...(isText(row.expiresAt) && { expiresAt: endOfGrant(row, row.expiresAt) }),
  };
}

const isText = (value: string | null | undefined): value is string => typeof value === 'string';

function keyOf(list: GrantList, row: GrantRow): string {
  const { objectId, userId, groupId, tokenId, linkId } = row;
  switch (list) {
    case 'role':
      return userId ?? '';
    case 'share':
      return isText(groupId) ? `${objectId}:group:${groupId}` : `${objectId}:user:${userId ?? ''}`;
    case 'group':
      return `${objectId}:${userId ?? ''}:${groupId ?? ''}`;
    case 'token':
      return tokenId ?? '';
    case 'link':
      return linkId ?? '';
    default:
      return objectId;
  }
}

function reasonOf(list: GrantList, { isByDirectory }: GrantRow): AccessGrant['reason'] {
  switch (list) {
    case 'role':
      return isByDirectory === 1 ? 'directory' : 'role';
    case 'share':
      return 'named';
    case 'group':
    case 'token':
    case 'link':
      return list;
    default:
      return 'owner';
  }
}

function accessOf(list: GrantList, { access }: GrantRow): AccessGrant['access'] {
  if (list === 'link') return 'view';
  if (!list.startsWith('owner-')) return access as Role;
  // A viewer doesn't manage, not even as the owner.
  return access === 'viewer' ? 'view' : 'manage';
}

function granteeOf(row: GrantRow): AccessGrant['grantee'] {
  const { userId, userName, email, linkId, linkName, groupId, groupName } = row;
  if (linkId !== undefined) return { kind: 'link', id: linkId, name: linkName ?? '' };
  if (!isText(userId)) return { kind: 'group', id: groupId ?? '', name: groupName ?? '' };
  const person = { id: userId, name: userName ?? '' };
  // The address of a service account is only a placeholder.
  return row.isServiceAccount === 1
    ? { kind: 'service_account', ...person }
    : { kind: 'person', ...person, ...(isText(email) && { email }) };
}

/** Returns when a grant ends: for a token, the earlier of its own end and that of the organization's policy. */
const endOfGrant = ({ createdAt, maxDays }: GrantRow, expiresAt: string): string =>
  createdAt === undefined || maxDays === undefined
    ? expiresAt
    : timestamp(endOf({ createdAt, expiresAt, maxDays }));

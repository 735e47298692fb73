import type { Reader, Transaction } from '../../storage/database.ts';
import { lacksSecondFactor } from '../../organizations/second-factors/requirement.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A link as it is stored. */
export interface StoredLink {
  readonly id: string;
  readonly tokenHash: string;
  readonly dashboardId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly filters: string;
  readonly createdBy: string;
  readonly method: string;
  readonly satisfiesSso: number;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** A link in a list. */
export interface ListedLink extends Pick<
  StoredLink,
  'id' | 'name' | 'filters' | 'createdBy' | 'createdAt' | 'expiresAt'
> {
  readonly createdByName: string;
  readonly lastUsedAt: string | null;
}

/** The link of a display that sends its token. */
interface FoundLink extends Omit<StoredLink, 'tokenHash' | 'name' | 'createdAt'> {
  readonly lastUsedAt: string | null;
  /** Those of the session policy, in JSON; null without a policy. */
  readonly addresses: string | null;
  /** 1 if the organization requires a second factor that the creator doesn't have. */
  readonly lacksSecondFactor: number;
}

const insert = prepare((db, p: StoredLink) =>
  db.insertInto('display_links').values({
    id: p.id,
    token_hash: p.tokenHash,
    dashboard_id: p.dashboardId,
    organization_id: p.organizationId,
    name: p.name,
    filters: p.filters,
    created_by: p.createdBy,
    method: p.method,
    satisfies_sso: p.satisfiesSso,
    created_at: p.createdAt,
    expires_at: p.expiresAt,
  }),
);

export const insertLink = (transaction: Transaction, link: StoredLink): Promise<number> =>
  transaction.run(insert, link);

const list = prepare((db, p: { dashboardId: string }) =>
  db
    .selectFrom('display_links')
    .innerJoin('users', 'users.id', 'display_links.created_by')
    .select([
      'display_links.id',
      'display_links.name',
      'display_links.filters',
      'display_links.created_by as createdBy',
      'users.name as createdByName',
      'display_links.created_at as createdAt',
      'display_links.expires_at as expiresAt',
      'display_links.last_used_at as lastUsedAt',
    ])
    .where('display_links.dashboard_id', '=', p.dashboardId)
    .orderBy('display_links.id', 'desc'),
);

/** Returns the links of a dashboard, the newest first. */
export const selectLinks = (reader: Reader, dashboardId: string): Promise<ListedLink[]> =>
  reader.all(list, { dashboardId });

const byToken = prepare((db, p: { tokenHash: string }) =>
  db
    .selectFrom('display_links')
    .innerJoin('users', 'users.id', 'display_links.created_by')
    .leftJoin('session_policies', 'session_policies.organization_id', 'display_links.organization_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'display_links.organization_id')
        .onRef('members.user_id', '=', 'display_links.created_by'),
    )
    .select([
      'session_policies.addresses',
      lacksSecondFactor.as('lacksSecondFactor'),
      'display_links.id',
      'display_links.dashboard_id as dashboardId',
      'display_links.organization_id as organizationId',
      'display_links.filters',
      'display_links.created_by as createdBy',
      'display_links.method',
      'display_links.satisfies_sso as satisfiesSso',
      'display_links.expires_at as expiresAt',
      'display_links.last_used_at as lastUsedAt',
    ])
    .where('display_links.token_hash', '=', p.tokenHash)
    .where('users.disabled_at', 'is', null),
);

/** Returns the link of a token, unless it was revoked or the account of its creator is disabled. */
export const findLinkByToken = (reader: Reader, tokenHash: string): Promise<FoundLink | undefined> =>
  reader.first(byToken, { tokenHash });

const touch = prepare((db, p: { id: string; at: string }) =>
  db.updateTable('display_links').set({ last_used_at: p.at }).where('id', '=', p.id),
);

export const touchLink = (transaction: Transaction, id: string, at: string): Promise<number> =>
  transaction.run(touch, { id, at });

const remove = prepare((db, p: { dashboardId: string; id: string }) =>
  db.deleteFrom('display_links').where('id', '=', p.id).where('dashboard_id', '=', p.dashboardId),
);

/** Returns how many links were deleted. */
export const deleteLink = (
  transaction: Transaction,
  key: { readonly dashboardId: string; readonly id: string },
): Promise<number> => transaction.run(remove, key);

const removeOfMember = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .deleteFrom('display_links')
    .where('organization_id', '=', p.organizationId)
    .where('created_by', '=', p.userId),
);

/** Deletes the links that a member created, so that a new membership does not revive them. */
export const deleteDisplayLinksOfMember = (
  transaction: Transaction,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<number> => transaction.run(removeOfMember, { organizationId, userId });

const removeOfPerson = prepare((db, p: { userId: string }) =>
  db
    .deleteFrom('display_links')
    .where('created_by', '=', p.userId)
    .returning('organization_id as organizationId'),
);

/** Deletes the links that a person created; returns the organization of each. */
export const deleteDisplayLinksOfPerson = async (
  transaction: Transaction,
  userId: string,
): Promise<string[]> =>
  (await transaction.all(removeOfPerson, { userId })).map(({ organizationId }) => organizationId);

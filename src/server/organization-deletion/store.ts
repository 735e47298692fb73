import { sql } from 'kysely';
import type { DeletedOrganization, OrganizationContents } from '#contract/organizations/deletion.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface OfOrganization {
  readonly organizationId: string;
}

/** Conflicts with the lock that every new row about the organization takes by its reference, so it waits for all that add some. */
const lockAll = prepare((db, p: OfOrganization) =>
  db.selectFrom('organizations').select('name').where('id', '=', p.organizationId).forUpdate(),
);

/** Makes other transactions that add something to an organization wait for this one. Returns its name, or undefined. */
export const lockWholeOrganization = async (
  transaction: Transaction,
  organizationId: string,
): Promise<string | undefined> => (await transaction.first(lockAll, { organizationId }))?.name;

interface Deletion extends OfOrganization {
  readonly deletedAt: string;
  /** Null if the operator did it. */
  readonly deletedBy: string | null;
  readonly endsAt: string;
}

const insert = prepare((db, p: Deletion) =>
  db.insertInto('deleted_organizations').values({
    organization_id: p.organizationId,
    deleted_at: p.deletedAt,
    deleted_by: p.deletedBy,
    ends_at: p.endsAt,
  }),
);

const memberColumns = [
  'organization_id',
  'user_id',
  'role',
  'created_at',
  'directory_sign_in_at',
  'last_seen_at',
  'role_at',
  'role_by',
] as const;

const moveOut = prepare((db, p: OfOrganization) =>
  db
    .insertInto('deleted_members')
    .columns(memberColumns)
    .expression(
      db.selectFrom('members').select(memberColumns).where('organization_id', '=', p.organizationId),
    ),
);
const removeMembers = prepare((db, p: OfOrganization) =>
  db.deleteFrom('members').where('organization_id', '=', p.organizationId),
);
const endSessions = prepare((db, p: OfOrganization) =>
  db.deleteFrom('sessions').where('organization_id', '=', p.organizationId),
);
const endAttempts = prepare((db, p: OfOrganization) =>
  db.deleteFrom('sso_attempts').where('organization_id', '=', p.organizationId),
);
const memberIds = prepare((db, p: OfOrganization) =>
  db.selectFrom('members').select('user_id as userId').where('organization_id', '=', p.organizationId),
);

/** Marks an organization as deleted, ends what its members have, and takes away their memberships until it is restored. */
export async function insertDeletion(transaction: Transaction, deletion: Deletion): Promise<void> {
  const { organizationId } = deletion;
  await transaction.run(insert, deletion);
  // Streams of dashboards check again who may see them.
  for (const { userId } of await transaction.all(memberIds, { organizationId })) transaction.announce(userId);
  transaction.announce(organizationId);
  for (const query of [moveOut, removeMembers, endSessions, endAttempts])
    await transaction.run(query, { organizationId });
}

/** The directory may have disabled people meanwhile, and the sessions by which that is checked have ended. */
const restoredColumns = memberColumns.filter((column) => column !== 'directory_sign_in_at');

const moveBack = prepare((db, p: OfOrganization) =>
  db
    .insertInto('members')
    .columns(restoredColumns)
    .expression(
      db
        .selectFrom('deleted_members')
        .select(restoredColumns)
        .where('organization_id', '=', p.organizationId),
    ),
);
const removeMoved = prepare((db, p: OfOrganization) =>
  db.deleteFrom('deleted_members').where('organization_id', '=', p.organizationId),
);
const removeLinks = prepare((db, p: OfOrganization) =>
  db.deleteFrom('restore_links').where('organization_id', '=', p.organizationId),
);
const removeDeletion = prepare((db, p: OfOrganization) =>
  db.deleteFrom('deleted_organizations').where('organization_id', '=', p.organizationId),
);

/** Gives an organization its members back. */
export async function removeDeletionOf(transaction: Transaction, organizationId: string): Promise<void> {
  for (const query of [moveBack, removeMoved, removeLinks, removeDeletion])
    await transaction.run(query, { organizationId });
}

/** The values of `purging`: rows are there, are being deleted, or are only in the files of the database. */
export const purgeStates = { notBegun: 0, begun: 1, removed: 2 } as const;

interface StoredDeletion extends DeletedOrganization {
  readonly noticed: number;
  readonly purging: number;
}

const columns = [
  'organizations.id',
  'organizations.name',
  'deleted_organizations.deleted_at as deletedAt',
  'deleted_organizations.ends_at as endsAt',
  'deleted_organizations.noticed',
  'deleted_organizations.purging',
] as const;

const all = prepare((db) =>
  db
    .selectFrom('deleted_organizations')
    .innerJoin('organizations', 'organizations.id', 'deleted_organizations.organization_id')
    .select(columns)
    .orderBy('deleted_organizations.ends_at'),
);

/** Returns all deleted organizations, the one that ends next first. */
export const selectDeleted = (reader: Reader): Promise<StoredDeletion[]> => reader.all(all, {});

const one = prepare((db, p: OfOrganization) =>
  db
    .selectFrom('deleted_organizations')
    .innerJoin('organizations', 'organizations.id', 'deleted_organizations.organization_id')
    .select(columns)
    .where('organizations.id', '=', p.organizationId)
    .forUpdate(),
);

/** Returns a deleted organization, locked until the transaction ends, or undefined. */
export const lockDeleted = (
  transaction: Transaction,
  organizationId: string,
): Promise<StoredDeletion | undefined> => transaction.first(one, { organizationId });

const ofOwner = prepare((db, p: { userId: string }) =>
  db
    .selectFrom('deleted_members')
    .innerJoin('organizations', 'organizations.id', 'deleted_members.organization_id')
    .innerJoin('deleted_organizations', 'deleted_organizations.organization_id', 'organizations.id')
    .select(columns)
    .where('deleted_members.user_id', '=', p.userId)
    .where('deleted_members.role', '=', 'owner')
    .orderBy('organizations.id'),
);

/** Returns the deleted organizations that a user was an owner of. */
export const selectDeletedOfOwner = (reader: Reader, userId: string): Promise<StoredDeletion[]> =>
  reader.all(ofOwner, { userId });

const owners = prepare((db, p: OfOrganization) =>
  db
    .selectFrom('deleted_members')
    .innerJoin('users', 'users.id', 'deleted_members.user_id')
    .select(['users.id as userId', 'users.email', 'users.is_email_verified as isEmailVerified'])
    .where('deleted_members.organization_id', '=', p.organizationId)
    .where('deleted_members.role', '=', 'owner')
    .where('users.disabled_at', 'is', null)
    .orderBy('users.email'),
);

/** Returns the owners of a deleted organization whose account is not disabled. */
export const selectOwnersOfDeleted = (
  reader: Reader,
  organizationId: string,
): Promise<{ userId: string; email: string; isEmailVerified: number }[]> =>
  reader.all(owners, { organizationId });

interface RestoreLink {
  readonly tokenHash: string;
  readonly organizationId: string;
  readonly userId: string;
}

const insertLink = prepare((db, p: RestoreLink) =>
  db
    .insertInto('restore_links')
    .values({ token_hash: p.tokenHash, organization_id: p.organizationId, user_id: p.userId }),
);

export const insertRestoreLink = (transaction: Transaction, link: RestoreLink): Promise<number> =>
  transaction.run(insertLink, link);

const byLink = prepare((db, p: { tokenHash: string }) =>
  db
    .selectFrom('restore_links')
    .innerJoin('deleted_members', (join) =>
      join
        .onRef('deleted_members.organization_id', '=', 'restore_links.organization_id')
        .onRef('deleted_members.user_id', '=', 'restore_links.user_id'),
    )
    .innerJoin('users', 'users.id', 'restore_links.user_id')
    .select(['restore_links.organization_id as organizationId', 'restore_links.user_id as userId'])
    .where('restore_links.token_hash', '=', p.tokenHash)
    .where('deleted_members.role', '=', 'owner')
    .where('users.disabled_at', 'is', null),
);

/** Returns what a link restores, and the owner who has it, or undefined. */
export const findRestoreLink = (
  reader: Reader,
  tokenHash: string,
): Promise<{ organizationId: string; userId: string } | undefined> => reader.first(byLink, { tokenHash });

const setNoticed = prepare((db, p: OfOrganization & { before: number; noticed: number }) =>
  db
    .updateTable('deleted_organizations')
    .set({ noticed: p.noticed })
    .where('organization_id', '=', p.organizationId)
    .where('noticed', '=', p.before),
);

/** Returns whether this process has stored that owners are notified. */
export const claimNotice = async (transaction: Transaction, organizationId: string): Promise<boolean> =>
  (await transaction.run(setNoticed, { organizationId, before: 0, noticed: 1 })) === 1;

const counts = prepare((db, p: OfOrganization) =>
  db.selectNoFrom([
    sql<number>`(select count(*) from dashboards where organization_id = ${p.organizationId})`.as(
      'dashboards',
    ),
    sql<number>`(select count(*) from reports where organization_id = ${p.organizationId})`.as('reports'),
    sql<number>`(select count(*) from source_tables where data_source_id in (
      select id from data_sources where organization_id = ${p.organizationId}))`.as('tables'),
    sql<number>`(select count(*) from members where organization_id = ${p.organizationId})`.as('members'),
  ]),
);

export async function countContentsOf(reader: Reader, organizationId: string): Promise<OrganizationContents> {
  const found = await reader.first(counts, { organizationId });
  // PostgreSQL returns counts as text.
  return {
    dashboards: Number(found?.dashboards),
    reports: Number(found?.reports),
    tables: Number(found?.tables),
    members: Number(found?.members),
  };
}

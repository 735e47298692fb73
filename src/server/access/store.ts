import type { Role, ShareLevel } from '#shared/permissions.ts';
import { groupName } from '../organizations/groups/names.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { recordTables, type SharedKind } from './kinds.ts';
import type { Grantee, Share } from './sharable.ts';

/** A record that is shared. */
export interface SharedKey {
  readonly kind: SharedKind;
  readonly id: string;
  readonly organizationId: string;
}

const list = prepare((db, p: { recordId: string }) =>
  db
    .selectFrom('shares')
    .select(['grantee_kind as kind', 'grantee_id as id', 'access'])
    .where('record_id', '=', p.recordId)
    .orderBy('grantee_kind')
    .orderBy('grantee_id'),
);

/** Returns the shares of a record, sorted by grantee. */
export async function selectShares(reader: Reader, recordId: string): Promise<Share[]> {
  const rows = await reader.all(list, { recordId });
  return rows.map(({ kind, id, access }) => ({
    // Sound because only `putShare` writes the column.
    grantee: { kind: kind as Share['grantee']['kind'], id },
    access: toLevel(access),
  }));
}

const members = prepare((db, p: { recordId: string; organizationId: string }) =>
  db
    .selectFrom('shares')
    .innerJoin('members', 'members.user_id', 'shares.grantee_id')
    .innerJoin('users', 'users.id', 'shares.grantee_id')
    .select(['shares.grantee_id as userId', 'shares.access', 'users.name', 'users.email', 'members.role'])
    .where('shares.record_id', '=', p.recordId)
    .where('shares.grantee_kind', '=', 'user')
    .where('members.organization_id', '=', p.organizationId)
    .orderBy('shares.grantee_id'),
);

/** A member that a record is shared with. */
export interface SharedMember {
  readonly userId: string;
  readonly access: ShareLevel;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** Returns the members that a record is shared with by name, sorted by user ID. */
export async function selectSharedMembers(
  reader: Reader,
  key: { recordId: string; organizationId: string },
): Promise<SharedMember[]> {
  const rows = await reader.all(members, key);
  return rows.map(({ access, role, ...row }) => ({
    ...row,
    access: toLevel(access),
    // Sound because `members.role` only ever holds a role of the contract.
    role: role as Role,
  }));
}

const groups = prepare((db, p: { recordId: string }) =>
  db
    .selectFrom('shares')
    .leftJoin('member_groups', (join) =>
      join
        .onRef('member_groups.organization_id', '=', 'shares.organization_id')
        .onRef('member_groups.group_id', '=', 'shares.grantee_id'),
    )
    .select(({ fn }) => [
      'shares.grantee_id as groupId',
      groupName('shares.organization_id', 'shares.grantee_id').as('name'),
      'shares.access',
      fn.count<number | string>('member_groups.user_id').as('memberCount'),
    ])
    .where('shares.record_id', '=', p.recordId)
    .where('shares.grantee_kind', '=', 'group')
    .groupBy(['shares.organization_id', 'shares.grantee_id', 'shares.access'])
    .orderBy('shares.grantee_id'),
);

/** A directory group that a record is shared with, and how many members had it when they last signed in. */
export interface SharedGroup {
  readonly groupId: string;
  /** To show. */
  readonly name: string;
  readonly access: ShareLevel;
  readonly memberCount: number;
}

/** Returns the groups that a record is shared with, sorted. */
export async function selectSharedGroups(reader: Reader, recordId: string): Promise<SharedGroup[]> {
  const rows = await reader.all(groups, { recordId });
  return rows.map(({ access, memberCount, ...group }) => ({
    ...group,
    access: toLevel(access),
    memberCount: Number(memberCount),
  }));
}

/** Sound because only `putShare` writes the column. */
const toLevel = (text: string): ShareLevel => text as ShareLevel;

interface ShareKey {
  readonly recordId: string;
  readonly granteeKind: Grantee['kind'];
  readonly granteeId: string;
}

interface PutShare extends ShareKey {
  readonly kind: SharedKind;
  readonly organizationId: string;
  readonly access: string;
  readonly at: string;
  readonly by: string;
}

const put = prepare((db, p: PutShare) =>
  db
    .insertInto('shares')
    .values({
      record_id: p.recordId,
      record_kind: p.kind,
      organization_id: p.organizationId,
      grantee_kind: p.granteeKind,
      grantee_id: p.granteeId,
      access: p.access,
      created_at: p.at,
      created_by: p.by,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['record_id', 'grantee_kind', 'grantee_id'])
        .doUpdateSet({ access: p.access, created_at: p.at, created_by: p.by }),
    ),
);

/** Shares a record with a grantee, instead of what was shared before. */
export const putShare = (
  transaction: Transaction,
  { id: recordId, kind, organizationId }: SharedKey,
  { grantee, access }: Share,
  given: { readonly at: string; readonly by: string },
): Promise<number> => {
  transaction.announce(recordId);
  const key = { recordId, granteeKind: grantee.kind, granteeId: grantee.id };
  return transaction.run(put, { ...key, ...given, kind, organizationId, access });
};

const remove = prepare((db, p: ShareKey) =>
  db
    .deleteFrom('shares')
    .where('record_id', '=', p.recordId)
    .where('grantee_kind', '=', p.granteeKind)
    .where('grantee_id', '=', p.granteeId),
);

export const deleteShare = (
  transaction: Transaction,
  recordId: string,
  { kind: granteeKind, id: granteeId }: Grantee,
): Promise<number> => {
  transaction.announce(recordId);
  return transaction.run(remove, { recordId, granteeKind, granteeId });
};

const removeOfRecord = prepare((db, p: { recordId: string }) =>
  db.deleteFrom('shares').where('record_id', '=', p.recordId),
);

/** Deletes all shares of a record that is being deleted permanently. */
export const deleteSharesOfRecord = (transaction: Transaction, recordId: string): Promise<number> =>
  transaction.run(removeOfRecord, { recordId });

const removeOfMember = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .deleteFrom('shares')
    .where('grantee_id', '=', p.userId)
    .where('grantee_kind', '=', 'user')
    .where('organization_id', '=', p.organizationId),
);

/** Deletes a member's shares of an organization's records, in the trash too, so that they don't return with a membership. */
export const deleteSharesOfMember = (
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<number> => transaction.run(removeOfMember, member);

const restrictEach = (kind: SharedKind) =>
  prepare((db, p: { id: string; restricted: number }) =>
    db
      // Sound because all of these tables have these columns.
      .updateTable(recordTables[kind] as 'dashboards')
      .set({ restricted: p.restricted })
      .where('id', '=', p.id),
  );
const restrict = {
  dashboard: restrictEach('dashboard'),
  report: restrictEach('report'),
  data_source: restrictEach('data_source'),
  folder: restrictEach('folder'),
} as const satisfies Record<SharedKind, unknown>;

export const updateRestricted = (
  transaction: Transaction,
  { kind, id }: Pick<SharedKey, 'kind' | 'id'>,
  isRestricted: boolean,
): Promise<number> => {
  transaction.announce(id);
  return transaction.run(restrict[kind], { id, restricted: isRestricted ? 1 : 0 });
};

import type { Role, ShareLevel } from '#shared/permissions.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { recordTables, type SharedKind } from './kinds.ts';
import type { Share } from './sharable.ts';

/** A record that is shared. */
export interface SharedKey {
  readonly kind: SharedKind;
  readonly id: string;
  readonly organizationId: string;
}

const list = prepare((db, p: { recordId: string }) =>
  db
    .selectFrom('shares')
    .select(['grantee_id as userId', 'access'])
    .where('record_id', '=', p.recordId)
    .where('grantee_kind', '=', 'user')
    .orderBy('grantee_id'),
);

/** Returns the members that a record is shared with, sorted by user ID. */
export async function selectShares(reader: Reader, recordId: string): Promise<Share[]> {
  const rows = await reader.all(list, { recordId });
  return rows.map(({ userId, access }) => ({ userId, access: toLevel(access) }));
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
export interface SharedMember extends Share {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** Like `selectShares`, with the members' names, email addresses and roles. */
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

/** Sound because only `putShare` writes the column. */
const toLevel = (text: string): ShareLevel => text as ShareLevel;

const put = prepare(
  (db, p: { recordId: string; kind: SharedKind; organizationId: string; userId: string; access: string }) =>
    db
      .insertInto('shares')
      .values({
        record_id: p.recordId,
        record_kind: p.kind,
        organization_id: p.organizationId,
        grantee_kind: 'user',
        grantee_id: p.userId,
        access: p.access,
      })
      .onConflict((conflict) =>
        conflict.columns(['record_id', 'grantee_kind', 'grantee_id']).doUpdateSet({ access: p.access }),
      ),
);

/** Shares a record with a member, instead of what was shared before. */
export const putShare = (transaction: Transaction, record: SharedKey, share: Share): Promise<number> => {
  transaction.announce(record.id);
  const { id: recordId, kind, organizationId } = record;
  return transaction.run(put, { recordId, kind, organizationId, ...share });
};

const remove = prepare((db, p: { recordId: string; userId: string }) =>
  db
    .deleteFrom('shares')
    .where('record_id', '=', p.recordId)
    .where('grantee_kind', '=', 'user')
    .where('grantee_id', '=', p.userId),
);

export const deleteShare = (transaction: Transaction, recordId: string, userId: string): Promise<number> => {
  transaction.announce(recordId);
  return transaction.run(remove, { recordId, userId });
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
} as const satisfies Record<SharedKind, unknown>;

export const updateRestricted = (
  transaction: Transaction,
  { kind, id }: Pick<SharedKey, 'kind' | 'id'>,
  isRestricted: boolean,
): Promise<number> => {
  transaction.announce(id);
  return transaction.run(restrict[kind], { id, restricted: isRestricted ? 1 : 0 });
};

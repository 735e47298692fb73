import type { Invitation } from '#contract/organizations/invitations.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { type FirstRows, mapRows, type PageRequest } from '../../base/paging.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

export interface OpenInvitation extends Invitation {
  organizationId: string;
  organizationName: string;
  /** Of the logo of the organization; null without one. */
  logoId: string | null;
  /** The current role of the person who created the invitation; null if they are not a member, or disabled. */
  inviterRole: Role | null;
  invitedBy: string | null;
}

/** Sound because `invitations.role` only ever holds a role of the contract. */
const withRole = <Row extends { role: string }>(row: Row): Row & { role: Role } => ({
  ...row,
  role: row.role as Role,
});

interface NewInvitation extends Invitation {
  organizationId: string;
  tokenHash: string;
  invitedBy: string;
}

const columns = ['id', 'email', 'role', 'created_at as createdAt', 'expires_at as expiresAt'] as const;

const upsert = prepare((sql, p: NewInvitation) => {
  const replaced = {
    id: p.id,
    token_hash: p.tokenHash,
    role: p.role,
    created_at: p.createdAt,
    expires_at: p.expiresAt,
    invited_by: p.invitedBy,
  };
  return sql
    .insertInto('invitations')
    .values({ ...replaced, organization_id: p.organizationId, email: p.email })
    .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet(replaced));
});

/** Inserts an invitation, or replaces an earlier one to the same address. */
export const upsertInvitation = (transaction: Transaction, invitation: NewInvitation): Promise<number> =>
  transaction.run(upsert, invitation);

const list = prepare((sql, p: { organizationId: string; now: string; after: string; limit: number }) =>
  sql
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', p.organizationId)
    .where('expires_at', '>', p.now)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Returns the first rows of a page, by id; expired ones are left out. */
export async function selectInvitations(
  reader: Reader,
  organizationId: string,
  now: string,
  page: PageRequest,
): Promise<FirstRows<Invitation>> {
  const rows = await reader.page(list, {
    organizationId,
    now,
    after: page.after ?? '',
    limit: page.limit,
  });
  return mapRows(rows, withRole);
}

const byToken = prepare((sql, p: { tokenHash: string; now: string }) =>
  sql
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'invitations.organization_id')
        .onRef('members.user_id', '=', 'invitations.invited_by'),
    )
    .leftJoin('organization_logos', 'organization_logos.organization_id', 'invitations.organization_id')
    .leftJoin('users as inviter', 'inviter.id', 'members.user_id')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.role',
      'invitations.created_at as createdAt',
      'invitations.expires_at as expiresAt',
      'invitations.organization_id as organizationId',
      'organizations.name as organizationName',
      'organization_logos.id as logoId',
      'invitations.invited_by as invitedBy',
      'members.role as inviterRole',
      'inviter.disabled_at as inviterDisabledAt',
    ])
    .where('invitations.token_hash', '=', p.tokenHash)
    .where('invitations.expires_at', '>', p.now),
);

/** Returns the invitation of a token that has not expired, or undefined. */
export async function findInvitation(
  reader: Reader,
  tokenHash: string,
  now: string,
): Promise<OpenInvitation | undefined> {
  const row = await reader.first(byToken, { tokenHash, now });
  if (row === undefined) return undefined;
  const { inviterDisabledAt, ...invitation } = row;
  const inviterRole = inviterDisabledAt === null ? (row.inviterRole as Role | null) : null;
  return { ...withRole(invitation), inviterRole };
}

const roleById = prepare((sql, p: { organizationId: string; id: string }) =>
  sql
    .selectFrom('invitations')
    .select('role')
    .where('organization_id', '=', p.organizationId)
    .where('id', '=', p.id),
);

/** Returns the role that an invitation gives, or undefined if it does not exist. */
export const findInvitedRole = async (
  reader: Reader,
  organizationId: string,
  id: string,
): Promise<Role | undefined> =>
  (await reader.first(roleById, { organizationId, id }))?.role as Role | undefined;

const openByEmail = prepare((sql, p: { organizationId: string; email: string; now: string }) =>
  sql
    .selectFrom('invitations')
    .select('role')
    .where('organization_id', '=', p.organizationId)
    .where('email', '=', p.email)
    .where('expires_at', '>', p.now),
);

/** Returns the role that the open invitation of a normalized address gives, or undefined. */
export const findOpenRole = async (
  reader: Reader,
  invited: { organizationId: string; email: string; now: string },
): Promise<Role | undefined> => (await reader.first(openByEmail, invited))?.role as Role | undefined;

interface OfInviter {
  readonly organizationId: string;
  readonly invitedBy: string;
  readonly roles: readonly Role[];
  readonly now: string;
}

const removeOfInviter = prepare((sql, p: OfInviter) =>
  sql
    .deleteFrom('invitations')
    .where('organization_id', '=', p.organizationId)
    .where('invited_by', '=', p.invitedBy)
    .where('role', 'in', p.roles)
    .where('expires_at', '>', p.now)
    .returning('email'),
);

/** Deletes the open invitations to roles that one person created; returns their addresses. */
export async function deleteInvitationsOfInviter(
  transaction: Transaction,
  made: OfInviter,
): Promise<string[]> {
  return (await transaction.all(removeOfInviter, made)).map(({ email }) => email);
}

const removeByEmail = prepare((sql, p: { organizationId: string; email: string; now: string }) =>
  sql
    .deleteFrom('invitations')
    .where('organization_id', '=', p.organizationId)
    .where('email', '=', p.email)
    .where('expires_at', '>', p.now)
    .returning('email'),
);

/** Deletes the open invitation to a normalized address; returns the address if there was one. */
export async function deleteInvitationsTo(
  transaction: Transaction,
  invited: { organizationId: string; email: string; now: string },
): Promise<string[]> {
  return (await transaction.all(removeByEmail, invited)).map(({ email }) => email);
}

const removeExpired = prepare((sql, p: { now: string }) =>
  sql.deleteFrom('invitations').where('expires_at', '<=', p.now),
);

export const deleteExpiredInvitations = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });

const remove = prepare((sql, p: { organizationId: string; id: string }) =>
  sql.deleteFrom('invitations').where('organization_id', '=', p.organizationId).where('id', '=', p.id),
);

/** Returns whether it existed. */
export const deleteInvitation = async (
  transaction: Transaction,
  organizationId: string,
  id: string,
): Promise<boolean> => (await transaction.run(remove, { organizationId, id })) === 1;

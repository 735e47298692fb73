import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { selectStored, toStored, type StoredRow, type StoredToken } from '../store.ts';

/** A token about whose end people may have to be told. */
export interface Candidate {
  readonly token: StoredToken;
  /** Which notice was sent before. */
  readonly noticed: string | null;
  readonly organizationName: string;
  /** The name of the person or service account as whom it acts. */
  readonly ownerName: string;
}

const candidates = prepare(
  (sql, p: { now: string; before: string; longest: number; after: string; limit: number }) =>
    selectStored(sql)
      .select(['tokens.noticed', 'organizations.name as organizationName', 'users.name as ownerName'])
      .where('tokens.kind', '!=', 'access')
      .where('tokens.expires_at', '>', p.now)
      // A policy can end a token before it expires.
      .where(({ or, eb }) =>
        or([eb('tokens.expires_at', '<=', p.before), eb('organizations.max_token_days', '<', p.longest)]),
      )
      .where('tokens.id', '>', p.after)
      .orderBy('tokens.id')
      .limit(p.limit),
);

/**
 * Returns tokens that expire until `before`, and those of organizations that end tokens earlier than after `longest` days, by ID.
 */
export async function selectCandidates(
  reader: Reader,
  page: { now: string; before: string; longest: number; after: string; limit: number },
): Promise<Candidate[]> {
  const rows = await reader.all(candidates, page);
  return rows.map(({ noticed, organizationName, ownerName, ...row }) => ({
    token: toStored(row as StoredRow),
    noticed,
    organizationName,
    ownerName,
  }));
}

const claim = prepare((sql, p: { id: string; before: string | undefined; noticed: string | null }) => {
  const token = sql.updateTable('tokens').set({ noticed: p.noticed }).where('id', '=', p.id);
  return p.before === undefined ? token.where('noticed', 'is', null) : token.where('noticed', '=', p.before);
});

/** Replaces what is stored about the notices of a token. Returns false if another process has done so since, or the token is gone. */
export const replaceNotice = async (
  transaction: Transaction,
  { before, ...change }: { id: string; before: string | null; noticed: string | null },
): Promise<boolean> => (await transaction.run(claim, { ...change, before: before ?? undefined })) === 1;

const people = prepare((sql, p: { organizationId: string; userId: string | undefined }) => {
  const reachable = sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.organization_id', '=', p.organizationId)
    .where('users.is_service_account', '=', 0)
    // What an organization has isn't sent to an address that nobody has confirmed.
    .where('users.is_email_verified', '=', 1)
    .where('users.disabled_at', 'is', null);
  return p.userId === undefined
    ? reachable.where('members.role', 'in', ['owner', 'admin'])
    : reachable.where('members.user_id', '=', p.userId);
});

/** Returns the addresses of the owners and admins of an organization or, if given, of one of its members. */
export const selectNoticed = async (
  reader: Reader,
  { organizationId, userId }: { organizationId: string; userId?: string | undefined },
): Promise<string[]> => (await reader.all(people, { organizationId, userId })).map(({ email }) => email);

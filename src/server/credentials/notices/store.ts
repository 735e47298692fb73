import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { selectTokensById, type StoredToken } from '../store.ts';

/** A token whose owner may have to be warned that it expires. */
export interface Candidate {
  readonly token: StoredToken;
  /** Which notice was sent before. */
  readonly noticed: string | null;
  readonly organizationName: string;
  /** The name of the person or service account that it acts as. */
  readonly ownerName: string;
}

const candidates = prepare(
  (sql, p: { now: string; before: string; longest: number; after: string; limit: number }) =>
    sql
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .innerJoin('organizations', 'organizations.id', 'tokens.organization_id')
      .select([
        'tokens.id',
        'tokens.noticed',
        'organizations.name as organizationName',
        'users.name as ownerName',
      ])
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
 * Returns tokens that expire until `before`, and those of organizations that end tokens earlier than after `longest` days, by ID; and
 * after which one to continue, undefined at the end.
 */
export async function selectCandidates(
  reader: Reader,
  page: { now: string; before: string; longest: number; after: string; limit: number },
): Promise<{ candidates: Candidate[]; next: string | undefined }> {
  const rows = await reader.all(candidates, page);
  const tokens = await selectTokensById(
    reader,
    rows.map(({ id }) => id),
  );
  const byId = new Map(tokens.map((token) => [token.id, token]));
  const found = rows.flatMap(({ id, ...row }) => {
    const token = byId.get(id);
    return token === undefined ? [] : [{ token, ...row }];
  });
  return { candidates: found, next: rows.length < page.limit ? undefined : rows.at(-1)?.id };
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

import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const failure = prepare((sql, p: { organizationId: string; at: string; failure: string }) =>
  sql
    .insertInto('sso_outcomes')
    .values({
      organization_id: p.organizationId,
      succeeded_at: null,
      success: null,
      failed_at: p.at,
      failure: p.failure,
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ failed_at: p.at, failure: p.failure }),
    ),
);

const success = prepare((sql, p: { organizationId: string; at: string; message: string }) =>
  sql
    .insertInto('sso_outcomes')
    .values({
      organization_id: p.organizationId,
      succeeded_at: p.at,
      success: p.message,
      failed_at: null,
      failure: null,
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ succeeded_at: p.at, success: p.message }),
    ),
);

const logout = prepare((sql, p: { organizationId: string; at: string; message: string }) =>
  sql
    .insertInto('sso_outcomes')
    .values({
      organization_id: p.organizationId,
      succeeded_at: null,
      success: null,
      failed_at: null,
      failure: null,
      logged_out_at: p.at,
      logged_out: p.message,
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ logged_out_at: p.at, logged_out: p.message }),
    ),
);

/** The last success and the last failure of an organization's sign-ins, and the last time that its provider ended sessions. */
export interface SsoOutcomes {
  succeededAt: string | null;
  /** The message of the last success. */
  success: string | null;
  failedAt: string | null;
  failure: SsoFailure | null;
  loggedOutAt: string | null;
  /** Whose sessions the provider last ended. */
  loggedOut: string | null;
}

export interface SsoFailure {
  code: string;
  message: string;
  remedy: string;
  /** Whether it means that nobody can sign in: false if it is about one person, or a browser could have forged it. */
  ofEveryone: boolean;
}

const one = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('sso_outcomes')
    .select([
      'succeeded_at as succeededAt',
      'success',
      'failed_at as failedAt',
      'failure',
      'logged_out_at as loggedOutAt',
      'logged_out as loggedOut',
    ])
    .where('organization_id', '=', p.organizationId),
);

/** Returns the last outcomes of sign-ins, or undefined if there were none. */
export async function findOutcomes(reader: Reader, organizationId: string): Promise<SsoOutcomes | undefined> {
  const row = await reader.first(one, { organizationId });
  if (row === undefined) return undefined;
  // Sound because only `recordFailure` writes the column.
  return { ...row, failure: row.failure === null ? null : (JSON.parse(row.failure) as SsoFailure) };
}

/** Whether a sign-in failed for a reason that affects everyone, and none has succeeded since. */
export const isFailing = (outcomes: SsoOutcomes | undefined): boolean =>
  outcomes?.failure?.ofEveryone === true && (outcomes.failedAt ?? '') > (outcomes.succeededAt ?? '');

export const recordSuccess = (
  transaction: Transaction,
  organizationId: string,
  at: string,
  message: string,
): Promise<number> => transaction.run(success, { organizationId, at, message });

export const recordLogout = (
  transaction: Transaction,
  organizationId: string,
  at: string,
  message: string,
): Promise<number> => transaction.run(logout, { organizationId, at, message });

export const recordFailure = (
  transaction: Transaction,
  organizationId: string,
  at: string,
  details: SsoFailure,
): Promise<number> => transaction.run(failure, { organizationId, at, failure: JSON.stringify(details) });

const remove = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('sso_outcomes').where('organization_id', '=', p.organizationId),
);

/** Deletes the outcomes of sign-ins through a configuration that was deleted, turned off or pointed elsewhere. */
export const deleteOutcomes = (transaction: Transaction, organizationId: string): Promise<number> =>
  transaction.run(remove, { organizationId });

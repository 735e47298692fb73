import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** The last success and the last failure of an organization's sign-ins. */
export interface SsoOutcomes {
  succeededAt: string | null;
  /** In words. */
  success: string | null;
  failedAt: string | null;
  failure: SsoFailure | null;
}

export interface SsoFailure {
  code: string;
  message: string;
  remedy: string;
  /** Whether it says something of the configuration: not when it rests on what a browser brought. */
  ofDirectory: boolean;
}

const one = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('sso_outcomes')
    .select(['succeeded_at as succeededAt', 'success', 'failed_at as failedAt', 'failure'])
    .where('organization_id', '=', p.organizationId),
);

const success = prepare((sql, p: { organizationId: string; at: string; words: string }) =>
  sql
    .insertInto('sso_outcomes')
    .values({
      organization_id: p.organizationId,
      succeeded_at: p.at,
      success: p.words,
      failed_at: null,
      failure: null,
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ succeeded_at: p.at, success: p.words }),
    ),
);

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

const remove = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('sso_outcomes').where('organization_id', '=', p.organizationId),
);

/** Returns what became of the sign-ins so far, or undefined when there were none. */
export async function findOutcomes(reader: Reader, organizationId: string): Promise<SsoOutcomes | undefined> {
  const row = await reader.first(one, { organizationId });
  if (row === undefined) return undefined;
  // Sound because only `recordFailure` writes the column.
  return { ...row, failure: row.failure === null ? null : (JSON.parse(row.failure) as SsoFailure) };
}

/** Whether the directory has refused a sign-in, and none has succeeded since. */
export const isFailing = (outcomes: SsoOutcomes | undefined): boolean =>
  outcomes?.failure?.ofDirectory === true && (outcomes.failedAt ?? '') > (outcomes.succeededAt ?? '');

export const recordSuccess = (
  transaction: Transaction,
  organizationId: string,
  at: string,
  words: string,
): Promise<number> => transaction.run(success, { organizationId, at, words });

export const recordFailure = (
  transaction: Transaction,
  organizationId: string,
  at: string,
  what: SsoFailure,
): Promise<number> => transaction.run(failure, { organizationId, at, failure: JSON.stringify(what) });

/** Forgets what became of sign-ins through a configuration that is no more. */
export const deleteOutcomes = (transaction: Transaction, organizationId: string): Promise<number> =>
  transaction.run(remove, { organizationId });

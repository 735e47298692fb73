import type { Insertable } from 'kysely';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import type { SsoTables } from '../../storage/tables/sso.ts';
import type { ConfigurationKey } from '../configuration/store.ts';

type Columns = Partial<Omit<Insertable<SsoTables['sso_outcomes']>, 'configuration_id' | 'organization_id'>>;

/** Sets columns of a configuration, and leaves the others as they are. */
const set = (sql: Sql, { id, organizationId }: Outcome, columns: Columns) =>
  sql
    .insertInto('sso_outcomes')
    .values({
      configuration_id: id,
      organization_id: organizationId,
      succeeded_at: null,
      success: null,
      failed_at: null,
      failure: null,
      ...columns,
    } satisfies Insertable<SsoTables['sso_outcomes']>)
    .onConflict((conflict) => conflict.column('configuration_id').doUpdateSet(columns));

interface Outcome {
  readonly id: string;
  readonly organizationId: string;
  readonly at: string;
  readonly text: string;
}

const failure = prepare((sql, p: Outcome) => set(sql, p, { failed_at: p.at, failure: p.text }));
const success = prepare((sql, p: Outcome) => set(sql, p, { succeeded_at: p.at, success: p.text }));
const logout = prepare((sql, p: Outcome & { seconds: number | null }) =>
  set(sql, p, { logged_out_at: p.at, logged_out: p.text, logged_out_seconds: p.seconds }),
);

/** The last success and the last failure of the sign-ins through a configuration, and the last time that its provider ended sessions. */
export interface SsoOutcomes {
  succeededAt: string | null;
  /** The message of the last success. */
  success: string | null;
  failedAt: string | null;
  failure: SsoFailure | null;
  loggedOutAt: string | null;
  /** Whose sessions the provider last ended. */
  loggedOut: string | null;
  /** How long it took from the act at the provider, or at most. */
  loggedOutSeconds: number | null;
}

export interface SsoFailure {
  code: string;
  message: string;
  remedy: string;
  /** Whether it means that nobody can sign in: false if it is about one person, or a browser could have forged it. */
  ofEveryone: boolean;
}

const one = prepare((sql, p: { id: string }) =>
  sql
    .selectFrom('sso_outcomes')
    .select([
      'succeeded_at as succeededAt',
      'success',
      'failed_at as failedAt',
      'failure',
      'logged_out_at as loggedOutAt',
      'logged_out as loggedOut',
      'logged_out_seconds as loggedOutSeconds',
    ])
    .where('configuration_id', '=', p.id),
);

/** Returns the last outcomes of sign-ins, or undefined if there were none. */
export async function findOutcomes(
  reader: Reader,
  { id }: Pick<ConfigurationKey, 'id'>,
): Promise<SsoOutcomes | undefined> {
  const row = await reader.first(one, { id });
  if (row === undefined) return undefined;
  // Sound because only `recordFailure` writes the column.
  return { ...row, failure: row.failure === null ? null : (JSON.parse(row.failure) as SsoFailure) };
}

/** Whether a sign-in failed for a reason that affects everyone, and none has succeeded since. */
export const isFailing = (outcomes: SsoOutcomes | undefined): boolean =>
  outcomes?.failure?.ofEveryone === true && (outcomes.failedAt ?? '') > (outcomes.succeededAt ?? '');

export const recordSuccess = (
  transaction: Transaction,
  { id, organizationId }: ConfigurationKey,
  at: string,
  message: string,
): Promise<number> => transaction.run(success, { id, organizationId, at, text: message });

/** Sessions of a person that a directory has ended. */
export interface EndedSessions {
  readonly email: string;
  readonly count: number;
  /** Seconds from the change at the directory until the sessions ended, or at most that. */
  readonly seconds: number | undefined;
  /** How the message of the status ends, with a space before it. */
  readonly messageEnd: string;
}

export function recordLogout(
  transaction: Transaction,
  { id, organizationId }: ConfigurationKey,
  at: string,
  { email, count, seconds, messageEnd }: EndedSessions,
): Promise<number> {
  const text = `Ended ${count === 1 ? '1 session' : `${count} sessions`} of ${email}${messageEnd}.`;
  return transaction.run(logout, { id, organizationId, at, text, seconds: seconds ?? null });
}

export const recordFailure = (
  transaction: Transaction,
  { id, organizationId }: ConfigurationKey,
  at: string,
  details: SsoFailure,
): Promise<number> => transaction.run(failure, { id, organizationId, at, text: JSON.stringify(details) });

const remove = prepare((sql, p: { id: string }) =>
  sql.deleteFrom('sso_outcomes').where('configuration_id', '=', p.id),
);

/** Deletes the outcomes of sign-ins through a configuration that was deleted, turned off or pointed elsewhere. */
export const deleteOutcomes = (
  transaction: Transaction,
  { id }: Pick<ConfigurationKey, 'id'>,
): Promise<number> => transaction.run(remove, { id });

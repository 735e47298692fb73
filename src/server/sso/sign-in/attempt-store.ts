import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import type { ConfigurationKey } from '../configuration/store.ts';

/** A sign-in that is in progress at the identity provider. */
export interface SsoAttempt {
  stateHash: string;
  organizationId: string;
  configurationId: string;
  configurationVersion: number;
  /** The hash of the cookie of the browser that started it. */
  browserHash: string;
  /** Sealed like the verifier, so that people who can read the database can't complete the sign-in. */
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** Only for a test sign-in. */
  testId: string | null;
  expiresAt: string;
  /** Sealed, with the ID token; only while the person has to confirm that the account of `userId` is theirs. */
  claims: string | null;
  userId: string | null;
}

const insert = prepare((sql, p: SsoAttempt) =>
  sql.insertInto('sso_attempts').values({
    state_hash: p.stateHash,
    organization_id: p.organizationId,
    configuration_id: p.configurationId,
    configuration_version: p.configurationVersion,
    browser_hash: p.browserHash,
    nonce: p.nonce,
    code_verifier: p.codeVerifier,
    return_to: p.returnTo,
    test_id: p.testId,
    expires_at: p.expiresAt,
    claims: p.claims,
    user_id: p.userId,
  }),
);

export const insertAttempt = (transaction: Transaction, attempt: SsoAttempt): Promise<number> =>
  transaction.run(insert, attempt);

const selectByState = (sql: Sql, p: { stateHash: string; now: string }) =>
  sql
    .selectFrom('sso_attempts')
    .select([
      'state_hash as stateHash',
      'organization_id as organizationId',
      'configuration_id as configurationId',
      'configuration_version as configurationVersion',
      'browser_hash as browserHash',
      'nonce',
      'code_verifier as codeVerifier',
      'return_to as returnTo',
      'test_id as testId',
      'expires_at as expiresAt',
      'claims',
      'user_id as userId',
    ])
    .where('state_hash', '=', p.stateHash)
    .where('expires_at', '>', p.now);

const byState = prepare((sql, p: { stateHash: string; now: string }) =>
  selectByState(sql, p).where('code_verifier', '!=', ''),
);

/** Returns the attempt of a state that is neither used up nor expired, or undefined. */
export const findAttempt = (
  reader: Reader,
  stateHash: string,
  now: string,
): Promise<SsoAttempt | undefined> => reader.first(byState, { stateHash, now });

/** An attempt that the directory completed, and that waits for the password of the account to link. */
export type PendingLink = SsoAttempt & { claims: string; userId: string };

const pendingLink = prepare((sql, p: { stateHash: string; now: string }) =>
  selectByState(sql, p).where('claims', 'is not', null).where('user_id', 'is not', null),
);

/** Returns the attempt that waits for a password under this hash and has not expired, or undefined. */
export async function findPendingLink(
  reader: Reader,
  stateHash: string,
  now: string,
): Promise<PendingLink | undefined> {
  // Sound because the query requires both.
  return (await reader.first(pendingLink, { stateHash, now })) as PendingLink | undefined;
}

const useUp = prepare((sql, p: { stateHash: string }) =>
  sql
    .updateTable('sso_attempts')
    .set({ nonce: '', code_verifier: '' })
    .where('state_hash', '=', p.stateHash)
    .where('code_verifier', '!=', ''),
);

/**
 * Deletes the nonce and the verifier, and returns whether they existed: only one of two callbacks with the same state
 * gets them. The attempt stays until its session is created, so that it can still be cancelled.
 */
export const useUpAttempt = async (transaction: Transaction, stateHash: string): Promise<boolean> =>
  (await transaction.run(useUp, { stateHash })) === 1;

const remove = prepare((sql, p: { stateHash: string }) =>
  sql.deleteFrom('sso_attempts').where('state_hash', '=', p.stateHash),
);

/** Returns whether it existed: false if it was cancelled in the meantime. */
export const deleteAttempt = async (transaction: Transaction, stateHash: string): Promise<boolean> =>
  (await transaction.run(remove, { stateHash })) === 1;

const removeOfOrganization = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('sso_attempts').where('organization_id', '=', p.organizationId),
);

export const deleteAttemptsOfOrganization = (
  transaction: Transaction,
  organizationId: string,
): Promise<number> => transaction.run(removeOfOrganization, { organizationId });

const removeOfConfiguration = prepare((sql, p: { organizationId: string; configurationId: string }) =>
  sql
    .deleteFrom('sso_attempts')
    .where('organization_id', '=', p.organizationId)
    .where('configuration_id', '=', p.configurationId),
);

export const deleteAttemptsOfConfiguration = (
  transaction: Transaction,
  { organizationId, id: configurationId }: ConfigurationKey,
): Promise<number> => transaction.run(removeOfConfiguration, { organizationId, configurationId });

const removeOfBrowser = prepare((sql, p: { browserHash: string }) =>
  sql.deleteFrom('sso_attempts').where('browser_hash', '=', p.browserHash),
);

export const deleteAttemptsOfBrowser = (transaction: Transaction, browserHash: string): Promise<number> =>
  transaction.run(removeOfBrowser, { browserHash });

const removeExpired = prepare((sql, p: { now: string }) =>
  sql.deleteFrom('sso_attempts').where('expires_at', '<=', p.now),
);

export const deleteExpiredAttempts = (transaction: Transaction, now: string): Promise<number> =>
  transaction.run(removeExpired, { now });

import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** The authenticator app of an account. Secrets are sealed. */
export interface AuthenticatorAppRow {
  readonly userId: string;
  /** Null until the app is set up. */
  readonly secret: string | null;
  readonly createdAt: string | null;
  /** The secret that is being set up. */
  readonly newSecret: string | null;
}

const columns = [
  'user_id as userId',
  'secret',
  'created_at as createdAt',
  'new_secret as newSecret',
] as const;

const appOf = prepare((sql, p: { userId: string }) =>
  sql.selectFrom('authenticator_apps').select(columns).where('user_id', '=', p.userId),
);

export const findApp = (reader: Reader, userId: string): Promise<AuthenticatorAppRow | undefined> =>
  reader.first(appOf, { userId });

const apps = prepare((sql) => sql.selectFrom('authenticator_apps').select(columns));

/** Returns every authenticator app of the server. */
export const selectApps = (reader: Reader): Promise<AuthenticatorAppRow[]> => reader.all(apps, {});

const startSetUp = prepare((sql, p: { userId: string; newSecret: string }) =>
  sql
    .insertInto('authenticator_apps')
    .values({ user_id: p.userId, secret: null, created_at: null, last_step: 0, new_secret: p.newSecret })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ new_secret: p.newSecret })),
);

export const storeNewSecret = (
  transaction: Transaction,
  app: { userId: string; newSecret: string },
): Promise<number> => transaction.run(startSetUp, app);

const setUp = prepare((sql, p: { userId: string; at: string; step: number }) =>
  sql
    .updateTable('authenticator_apps')
    .set((eb) => ({
      secret: eb.ref('new_secret'),
      new_secret: null,
      created_at: p.at,
      last_step: p.step,
    }))
    .where('user_id', '=', p.userId),
);

/** Replaces the secret by the one that was being set up. */
export const completeSetUp = (
  transaction: Transaction,
  app: { userId: string; at: string; step: number },
): Promise<number> => transaction.run(setUp, app);

const useStep = prepare((sql, p: { userId: string; secret: string; step: number }) =>
  sql
    .updateTable('authenticator_apps')
    .set({ last_step: p.step })
    .where('user_id', '=', p.userId)
    .where('secret', '=', p.secret)
    .where('last_step', '<', p.step),
);

/**
 * Returns whether the app still has this sealed secret, and no code of this time step or a later one was accepted before. Only one of two
 * simultaneous uses succeeds.
 */
export const useUpStep = async (
  transaction: Transaction,
  use: { userId: string; secret: string; step: number },
): Promise<boolean> => (await transaction.run(useStep, use)) === 1;

const replaceSecrets = prepare(
  (sql, p: { userId: string; secret: string | null; newSecret: string | null }) =>
    sql
      .updateTable('authenticator_apps')
      .set({ secret: p.secret, new_secret: p.newSecret })
      .where('user_id', '=', p.userId),
);

export const updateSecrets = (
  transaction: Transaction,
  app: { userId: string; secret: string | null; newSecret: string | null },
): Promise<number> => transaction.run(replaceSecrets, app);

const removeApp = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('authenticator_apps').where('user_id', '=', p.userId),
);

export const deleteApp = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(removeApp, { userId });

const insertCode = prepare((sql, p: { codeHash: string; userId: string; at: string }) =>
  sql.insertInto('recovery_codes').values({ code_hash: p.codeHash, user_id: p.userId, created_at: p.at }),
);

export const insertRecoveryCode = (
  transaction: Transaction,
  code: { codeHash: string; userId: string; at: string },
): Promise<number> => transaction.run(insertCode, code);

const countCodes = prepare((sql, p: { userId: string }) =>
  sql
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll().as('count'))
    .where('user_id', '=', p.userId),
);

export const countRecoveryCodes = async (reader: Reader, userId: string): Promise<number> =>
  Number((await reader.first(countCodes, { userId }))?.count);

const removeCode = prepare((sql, p: { codeHash: string; userId: string }) =>
  sql.deleteFrom('recovery_codes').where('code_hash', '=', p.codeHash).where('user_id', '=', p.userId),
);

/** Returns whether the account had the code, so that only one of two simultaneous uses succeeds. */
export const useUpRecoveryCode = async (
  transaction: Transaction,
  code: { codeHash: string; userId: string },
): Promise<boolean> => (await transaction.run(removeCode, code)) === 1;

const removeCodes = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('recovery_codes').where('user_id', '=', p.userId),
);

export const deleteRecoveryCodes = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(removeCodes, { userId });

import { AtriumError } from '../../base/errors.ts';
import { reseal, type SecretBox } from '../../base/credentials/secret-box.ts';
import { lockAccount } from '../../organizations/users.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { findApp, selectApps, updateSecrets } from './store.ts';

/** The purpose that the secrets of authenticator apps are sealed for, under the ID of their account. */
export const appSecretPurpose = 'authenticator-app';

/** Opens the secret of an app. Throws `unavailable` if its root key was removed. */
export function openAppSecret(secretBox: SecretBox, userId: string, sealed: string): string {
  try {
    return secretBox.open(userId, appSecretPurpose, sealed);
  } catch (cause) {
    throw new AtriumError(
      'unavailable',
      'The server can’t check codes from your authenticator app, because a key is missing. ' +
        'Use a recovery code, or ask the people who run the server.',
      { cause },
    );
  }
}

/** Returns every stored secret, sealed. */
export const listSealedAppSecrets = async (reader: Reader): Promise<string[]> =>
  (await selectApps(reader)).flatMap(({ secret, newSecret }) =>
    [secret, newSecret].filter((text) => text !== null),
  );

/** Re-encrypts every secret that isn't encrypted with the first root key. Returns how many apps have changed. */
export const rotateAppSecrets = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachSecret(database, (userId, sealed) => reseal(secretBox, userId, appSecretPurpose, sealed));

/**
 * Removes every secret whose root key is unknown, and with it the second factor. The recovery codes stay. Returns how many apps
 * have changed.
 */
export const discardAppSecrets = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachSecret(database, (_, sealed) => (secretBox.hasKeyOf(sealed) ? sealed : null));

async function changeEachSecret(
  database: Database,
  change: (userId: string, sealed: string) => string | null,
): Promise<number> {
  let changed = 0;
  for (const { userId } of await selectApps(database)) {
    const isChanged = await database.write(async (transaction) => {
      // Locked, so that an app that is set up at the same time isn't overwritten.
      await lockAccount(transaction, userId);
      const app = await findApp(transaction, userId);
      if (app === undefined) return false;
      const next = (sealed: string | null) => sealed && change(userId, sealed);
      const [secret, newSecret] = [next(app.secret), next(app.newSecret)];
      if (secret === app.secret && newSecret === app.newSecret) return false;
      await updateSecrets(transaction, { userId, secret, newSecret });
      return true;
    });
    if (isChanged) changed += 1;
  }
  return changed;
}

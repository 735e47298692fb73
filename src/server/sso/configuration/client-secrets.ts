import { reseal, type SecretBox } from '../../base/credentials/secret-box.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import {
  findSsoConfigurationById,
  selectClientSecrets,
  updateClientSecret,
  type StoredSsoConfiguration,
} from './store.ts';

/** The purpose that client secrets are sealed for; they can't be opened for another one. */
export const secretPurpose = 'sso-client-secret';

/**
 * Returns the client secret of a configuration, or an empty string if there is none. Throws the `SignInRefusal`
 * `secret_unreadable` if its root key is unknown, or it was sealed for another organization.
 */
export function openClientSecret(
  secretBox: SecretBox,
  { organizationId, clientSecret }: StoredSsoConfiguration,
): string {
  if (clientSecret === undefined) return '';
  try {
    return secretBox.open(organizationId, secretPurpose, clientSecret);
  } catch (error) {
    throw new SignInRefusal(
      'secret_unreadable',
      {
        message: 'The stored client secret cannot be read: the server’s root key was changed without it.',
        remedy: 'Enter the client secret again.',
      },
      error,
    );
  }
}

/** Returns every stored client secret, sealed. */
export const listSealedClientSecrets = async (reader: Reader): Promise<string[]> =>
  (await selectClientSecrets(reader)).map(({ clientSecret }) => clientSecret);

/** Re-encrypts every client secret that is not encrypted under the first root key. Returns how many it re-encrypted. */
export const rotateClientSecrets = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachSecret(database, (organizationId, sealed) =>
    reseal(secretBox, organizationId, secretPurpose, sealed),
  );

/** Removes every client secret whose root key is unknown. Returns how many it removed. */
export const discardClientSecrets = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachSecret(database, (_, sealed) => (secretBox.hasKeyOf(sealed) ? sealed : undefined));

/**
 * Replaces each client secret with what `change` returns, or leaves it if that is undefined. Returns how many it
 * replaced.
 */
async function changeEachSecret(
  database: Database,
  change: (organizationId: string, sealed: string) => string | undefined,
): Promise<number> {
  let changed = 0;
  for (const { id, organizationId } of await selectClientSecrets(database)) {
    const isChanged = await database.write(async (transaction) => {
      // Otherwise a concurrent save could lose its secret, or restore the old one.
      await lockOrganization(transaction, organizationId);
      const sealed = (await findSsoConfigurationById(transaction, id))?.clientSecret;
      const next = sealed && change(organizationId, sealed);
      if (next === sealed) return false;
      await updateClientSecret(transaction, id, next);
      return true;
    });
    if (isChanged) changed += 1;
  }
  return changed;
}

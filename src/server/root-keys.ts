import { StartError } from './base/errors.ts';
import { operatorCommand } from './base/program.js';
import { createSecretBox, type SecretBox } from './base/credentials/secret-box.ts';
import type { Settings } from './settings/settings.ts';
import { listSealedAppSecrets } from './accounts/second-factor/secrets.ts';
import { listSealedPasswords } from './data-sources/passwords.ts';
import { listSealedPrivateKeys } from './sso/certificates/keys.ts';
import { listSealedClientSecrets } from './sso/configuration/client-secrets.ts';
import type { Database, Reader } from './storage/database.ts';
import { listSealedWebhookSecrets } from './webhooks/secrets.ts';
import { readOrCreateSecretKey } from './storage/secret-key-file.ts';

/**
 * Returns the box for the root keys in the settings, or for the key in the data directory, which is created at the
 * first start. Throws a `StartError` if that key is missing and the database has secrets that are encrypted with it.
 */
export async function openSecretBox(
  database: Database,
  { secretKeys, dataDirectory }: Pick<Settings, 'secretKeys' | 'dataDirectory'>,
): Promise<SecretBox> {
  if (secretKeys !== undefined) return createSecretBox(secretKeys);
  const { length } = await listSealedSecrets(database);
  return createSecretBox([readOrCreateSecretKey(dataDirectory, length)]);
}

/**
 * Returns how many stored secrets the box can't open. Throws a `StartError` if it can't open any of them: then the key
 * is incorrect.
 */
export async function requireCorrectKey(
  database: Database,
  secretBox: Pick<SecretBox, 'hasKeyOf'>,
): Promise<{ unreadableCount: number }> {
  const { unreadableCount, count } = await countSecrets(database, secretBox);
  if (unreadableCount > 0 && unreadableCount === count) {
    throw new StartError(
      `ATRIUM_SECRET_KEY: the database has ${unreadableCount === 1 ? '1 secret, which is not' : `${unreadableCount} secrets, none of them`} ` +
        'encrypted with the key that is set or stored in the data directory.\n' +
        'Set ATRIUM_SECRET_KEY to the correct key, or to several, separated by commas. If the correct key is lost, ' +
        `run \`${operatorCommand} secrets discard\`. ` +
        'People then have to enter those secrets again.',
    );
  }
  return { unreadableCount };
}

/** Returns how many secrets are stored, and how many of them the box can't open. */
export async function countSecrets(
  reader: Reader,
  secretBox: Pick<SecretBox, 'hasKeyOf'>,
): Promise<{ readonly count: number; readonly unreadableCount: number }> {
  const sealed = await listSealedSecrets(reader);
  return {
    count: sealed.length,
    unreadableCount: sealed.filter((secret) => !secretBox.hasKeyOf(secret)).length,
  };
}

const listSealedSecrets = async (reader: Reader): Promise<string[]> => [
  ...(await listSealedClientSecrets(reader)),
  ...(await listSealedPrivateKeys(reader)),
  ...(await listSealedPasswords(reader)),
  ...(await listSealedWebhookSecrets(reader)),
  ...(await listSealedAppSecrets(reader)),
];

import { randomBytes } from 'node:crypto';
import { timestamp, type Clock } from '../base/clock.ts';
import { reseal, type SecretBox } from '../base/credentials/secret-box.ts';
import type { Database, Reader } from '../storage/database.ts';
import { lockWebhook, selectSealedSecrets, updateWebhook, type StoredWebhook } from './store.ts';

/** The purpose that secrets of webhooks are sealed for. */
export const webhookSecretPurpose = 'webhook-secret';

/** The prefix by which people and secret scanners recognize the secret of a webhook. */
const prefix = 'whsec_';

/** Returns a new secret: 32 random bytes, in the form of Standard Webhooks. */
export const newSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** Returns the secrets that sign at a time, the current one first. Throws if one can't be decrypted, or there is none. */
export function openSecrets(
  secretBox: SecretBox,
  { organizationId, secret, previousSecret, previousSecretEndsAt }: StoredWebhook,
  clock: Clock,
): string[] {
  const isInUse = previousSecretEndsAt !== null && previousSecretEndsAt > timestamp(clock());
  const sealed = [secret, isInUse ? previousSecret : null].filter((text) => text !== null);
  if (sealed.length === 0) throw new Error('The webhook has no secret.');
  return sealed.map((text) => secretBox.open(organizationId, webhookSecretPurpose, text));
}

/** Returns the bytes of a secret that sign. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

/** Returns every stored secret, sealed. */
export const listSealedWebhookSecrets = async (reader: Reader): Promise<string[]> =>
  (await selectSealedSecrets(reader)).flatMap(({ secret, previousSecret }) =>
    [secret, previousSecret].filter((text) => text !== null),
  );

/** Re-encrypts every secret that isn't encrypted with the first root key. Returns how many webhooks have changed. */
export const rotateWebhookSecrets = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachSecret(database, (organizationId, sealed) =>
    reseal(secretBox, organizationId, webhookSecretPurpose, sealed),
  );

/** Removes every secret whose root key is unknown. Returns how many webhooks have changed. */
export const discardWebhookSecrets = (database: Database, secretBox: SecretBox): Promise<number> =>
  changeEachSecret(database, (_, sealed) => (secretBox.hasKeyOf(sealed) ? sealed : null));

async function changeEachSecret(
  database: Database,
  change: (organizationId: string, sealed: string) => string | null,
): Promise<number> {
  let changed = 0;
  for (const { id } of await selectSealedSecrets(database)) {
    const isChanged = await database.write(async (transaction) => {
      // Locked, so that a secret that is rotated at the same time isn't overwritten.
      const webhook = await lockWebhook(transaction, id);
      if (webhook === undefined) return false;
      const next = (sealed: string | null) => sealed && change(webhook.organizationId, sealed);
      const [secret, previousSecret] = [next(webhook.secret), next(webhook.previousSecret)];
      if (secret === webhook.secret && previousSecret === webhook.previousSecret) return false;
      await updateWebhook(transaction, { ...webhook, secret, previousSecret });
      return true;
    });
    if (isChanged) changed += 1;
  }
  return changed;
}

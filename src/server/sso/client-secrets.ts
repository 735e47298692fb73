import type { SecretBox } from '../base/secret-box.ts';
import { lockOrganization } from '../organizations/members.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import {
  findSsoConfiguration,
  selectOrganizationsWithSecret,
  updateClientSecret,
  type StoredSsoConfiguration,
} from './sso-configuration-store.ts';

/** What client secrets are sealed for: the box opens them for nothing else. */
export const secretPurpose = 'sso-client-secret';

/**
 * Returns the client secret of a configuration; empty when there is none. Throws the `SignInRefusal` `secret_unreadable`
 * when its root key is gone, or it was sealed for another organization.
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

/** Seals anew every client secret that is not under the first root key. Returns how many those were. */
export async function rotateClientSecrets(database: Database, secretBox: SecretBox): Promise<number> {
  let rotated = 0;
  for (const organizationId of await selectOrganizationsWithSecret(database)) {
    const isRotated = await database.write((transaction) =>
      rotateSecret(transaction, secretBox, organizationId),
    );
    if (isRotated) rotated += 1;
  }
  return rotated;
}

/** Under the organization's lock, so that a save at the same time neither loses its secret nor brings the old one back. */
async function rotateSecret(
  transaction: Transaction,
  secretBox: SecretBox,
  organizationId: string,
): Promise<boolean> {
  await lockOrganization(transaction, organizationId);
  const sealed = (await findSsoConfiguration(transaction, organizationId))?.clientSecret;
  if (sealed === undefined || secretBox.isCurrent(sealed)) return false;
  const secret = secretBox.open(organizationId, secretPurpose, sealed);
  await updateClientSecret(
    transaction,
    organizationId,
    secretBox.seal(organizationId, secretPurpose, secret),
  );
  return true;
}

import { appSecretPurpose } from '../../accounts/second-factor/secrets.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import { passwordPurpose } from '../../data-sources/passwords.ts';
import { secretPurpose } from '../../sso/configuration/client-secrets.ts';
import { webhookSecretPurpose } from '../../webhooks/secrets.ts';
import type { Content } from '../content.ts';

/** The columns with secrets that are encrypted for an organization or an account, `owner`. Those that expire within hours are left out. */
const sealedColumns = [
  {
    table: 'sso_configurations',
    column: 'client_secret',
    owner: 'organization_id',
    purpose: secretPurpose,
    what: 'the client secret of single sign-on',
  },
  {
    table: 'data_sources',
    column: 'password',
    owner: 'organization_id',
    purpose: passwordPurpose,
    what: 'the password of a data source',
  },
  {
    table: 'webhooks',
    column: 'secret',
    owner: 'organization_id',
    purpose: webhookSecretPurpose,
    what: 'the secret of a webhook',
  },
  {
    table: 'authenticator_apps',
    column: 'secret',
    owner: 'user_id',
    purpose: appSecretPurpose,
    what: 'the authenticator app',
  },
] as const;

/** Returns the number of stored secrets, and a fault for each that the box can't open. Without a box, it opens none. */
export async function checkSecrets(
  content: Content,
  secretBox: SecretBox | undefined,
): Promise<{ count: number; faults: string[] }> {
  let count = 0;
  const faults: string[] = [];
  for (const { table, column, owner, purpose, what } of sealedColumns) {
    for await (const row of content.rowsOf(table)) {
      const sealed = row[column];
      if (typeof sealed !== 'string') continue;
      count += 1;
      const ownerId = String(row[owner]);
      if (secretBox !== undefined && !canOpen(secretBox, ownerId, purpose, sealed)) {
        const of = owner === 'user_id' ? 'account' : 'organization';
        faults.push(`${what} of ${of} ${ownerId} cannot be decrypted with the key`);
      }
    }
  }
  return { count, faults };
}

function canOpen(secretBox: SecretBox, ownerId: string, purpose: string, sealed: string): boolean {
  try {
    secretBox.open(ownerId, purpose, sealed);
    return true;
  } catch {
    return false;
  }
}

import { X509Certificate } from 'node:crypto';
import { reseal, type SecretBox } from '../../base/credentials/secret-box.ts';
import type { Database, Reader } from '../../storage/database.ts';
import type { ClientCertificate } from '../configuration/store.ts';
import type { ClientKey } from '../protocol/relying-party.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { removeCertificate, selectPrivateKeys, updatePrivateKey } from './store.ts';

/** The purpose that private keys are sealed for; they can't be opened for another one. */
export const keyPurpose = 'sso-client-key';

/** Returns the key of a certificate in use. Throws the `SignInRefusal` `secret_unreadable` if its root key is unknown. */
export function openClientKey(
  secretBox: SecretBox,
  organizationId: string,
  { certificate, privateKey }: ClientCertificate,
): ClientKey {
  try {
    return { certificate, privateKey: secretBox.open(organizationId, keyPurpose, privateKey) };
  } catch (error) {
    throw new SignInRefusal(
      'secret_unreadable',
      {
        message:
          'The private key of the certificate cannot be read: the server’s root key was changed without it.',
        remedy: 'Create another certificate, or delete this one and enter a client secret.',
      },
      error,
    );
  }
}

/** Returns the thumbprint of a certificate as Entra shows it: SHA-1 in hexadecimal. */
export const thumbprintOf = (certificate: string): string =>
  new X509Certificate(certificate).fingerprint.replaceAll(':', '');

/** Returns every stored private key, sealed. */
export const listSealedPrivateKeys = async (reader: Reader): Promise<string[]> =>
  (await selectPrivateKeys(reader)).map(({ privateKey }) => privateKey);

/** Re-encrypts every private key that is not encrypted under the first root key. Returns how many it re-encrypted. */
export async function rotatePrivateKeys(database: Database, secretBox: SecretBox): Promise<number> {
  let changed = 0;
  for (const { id, organizationId, privateKey: before } of await selectPrivateKeys(database)) {
    const privateKey = reseal(secretBox, organizationId, keyPurpose, before);
    if (privateKey === before) continue;
    changed += await database.write((transaction) =>
      updatePrivateKey(transaction, { id, before, privateKey }),
    );
  }
  return changed;
}

/** Deletes every certificate whose private key can't be read. Returns how many it deleted. */
export async function discardPrivateKeys(database: Database, secretBox: SecretBox): Promise<number> {
  let discarded = 0;
  for (const { id, privateKey } of await selectPrivateKeys(database)) {
    if (secretBox.hasKeyOf(privateKey)) continue;
    discarded += await database.write((transaction) => removeCertificate(transaction, id));
  }
  return discarded;
}

import { rotateAppSecrets } from '../accounts/second-factor/secrets.ts';
import { rotatePasswords } from '../data-sources/passwords.ts';
import { rotatePrivateKeys } from '../sso/certificates/keys.ts';
import { rotateClientSecrets } from '../sso/configuration/client-secrets.ts';
import { rotateWebhookSecrets } from '../webhooks/secrets.ts';
import type { Command } from './command.ts';

export const secretsRotate: Command = {
  name: 'secrets rotate',
  summary:
    'Re-encrypts every stored secret with the first key in ATRIUM_SECRET_KEY.\n' +
    'Add the new key before the old one, restart every server, run this command, then remove the old key.',
  options: [],
  async run({ database, secretBox }) {
    const rotated =
      (await rotateClientSecrets(database, secretBox)) +
      (await rotatePrivateKeys(database, secretBox)) +
      (await rotatePasswords(database, secretBox)) +
      (await rotateWebhookSecrets(database, secretBox)) +
      (await rotateAppSecrets(database, secretBox));
    return { text: `secrets re-encrypted: ${rotated}`, data: { rotated } };
  },
};

import { discardAppSecrets } from '../accounts/second-factor/secrets.ts';
import { discardPasswords } from '../data-sources/passwords.ts';
import { discardPrivateKeys } from '../sso/certificates/keys.ts';
import { discardClientSecrets } from '../sso/configuration/client-secrets.ts';
import { discardWebhookSecrets } from '../webhooks/secrets.ts';
import type { Command } from './command.ts';

export const secretsDiscard: Command = {
  name: 'secrets discard',
  summary:
    'Deletes every stored secret that no key in ATRIUM_SECRET_KEY can decrypt. Use it when a key is lost.\n' +
    'Directories and data sources that need one of these secrets stop working until someone enters it again. People whose\n' +
    'authenticator app needs one sign in with the password only, until they set up an app again.',
  options: [],
  async run({ database, secretBox }) {
    const clientSecrets = await discardClientSecrets(database, secretBox);
    const certificates = await discardPrivateKeys(database, secretBox);
    const passwords = await discardPasswords(database, secretBox);
    const webhooks = await discardWebhookSecrets(database, secretBox);
    const authenticatorApps = await discardAppSecrets(database, secretBox);
    return {
      text:
        `client secrets deleted: ${clientSecrets}\ncertificates of single sign-on deleted: ${certificates}\npasswords of data sources deleted: ${passwords}\n` +
        `secrets of webhooks deleted: ${webhooks}\nauthenticator apps deleted: ${authenticatorApps}`,
      data: { clientSecrets, certificates, passwords, webhooks, authenticatorApps },
    };
  },
};

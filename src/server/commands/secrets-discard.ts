import { discardPasswords } from '../data-sources/source-passwords.ts';
import { discardClientSecrets } from '../sso/client-secrets.ts';
import type { Command } from './command.ts';

export const secretsDiscard: Command = {
  name: 'secrets discard',
  summary:
    'Removes every stored secret that no key of ATRIUM_SECRET_KEY opens, when its key is lost.\n' +
    'Sign-in through a directory and data sources that need one of them fail until it is entered again.',
  options: [],
  async run({ database, secretBox }) {
    const clientSecrets = await discardClientSecrets(database, secretBox);
    const passwords = await discardPasswords(database, secretBox);
    return `client secrets removed: ${clientSecrets}\npasswords of data sources removed: ${passwords}`;
  },
};

import { rotatePasswords } from '../data-sources/passwords.ts';
import { rotateClientSecrets } from '../sso/configuration/client-secrets.ts';
import type { Command } from './command.ts';

export const secretsRotate: Command = {
  name: 'secrets rotate',
  summary:
    'Encrypts anew, under the first key of ATRIUM_SECRET_KEY, every secret that is under another of its keys.\n' +
    'Put the new key first, restart every server with the list, run this, then take the old key off the list.',
  options: [],
  async run({ database, secretBox }) {
    const rotated =
      (await rotateClientSecrets(database, secretBox)) + (await rotatePasswords(database, secretBox));
    return `secrets encrypted anew: ${rotated}`;
  },
};

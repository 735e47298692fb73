import type { Token } from '#contract/credentials/tokens.ts';
import { t } from '#shared/language/messages.ts';

/** The types that a person creates here; programs create the others by asking the person. */
export type CreatableType = Exclude<Token['type'], 'authorization'>;

/** What people call what a program authenticates with. */
export const typeNames: Readonly<Record<Token['type'], string>> = {
  bearer: t('Token'),
  client_secret: t('Client secret'),
  client_key: t('Public key'),
  authorization: t('Authorized program'),
};

/** How a program uses each type. */
export const typeUses: Readonly<Record<CreatableType, string>> = {
  bearer: t('The program sends it with each request.'),
  client_secret: t('With it, the program gets access tokens of one hour (OAuth 2.0 client credentials).'),
  client_key: t(
    'The program signs with its private key, which stays with it, and gets access tokens of one hour (private_key_jwt).',
  ),
};

/** The label of the button that creates one. */
export const createTexts: Readonly<Record<CreatableType, string>> = {
  bearer: t('Create the token'),
  client_secret: t('Create the client secret'),
  client_key: t('Register the key'),
};

/** The label of the button that creates one beside another, which it replaces. */
export const createSecondTexts: Readonly<Record<CreatableType, string>> = {
  bearer: t('Create the second token'),
  client_secret: t('Create the second client secret'),
  client_key: t('Register the second key'),
};

/** Returns the title of the dialog that replaces one. */
export function replaceTitle({ type, name }: Pick<Token, 'type' | 'name'>): string {
  switch (type) {
    case 'client_secret':
      return t('Replace the client secret “{name}”', { name });
    case 'client_key':
      return t('Replace the public key “{name}”', { name });
    default:
      return t('Replace the token “{name}”', { name });
  }
}

/** Returns the type of what replaces a token, or else (undefined) the one that is chosen at first. */
export const typeToReplace = (replaced: Token | undefined): CreatableType =>
  replaced === undefined || replaced.type === 'authorization' ? 'bearer' : replaced.type;

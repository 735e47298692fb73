import { t } from '#shared/language/messages.ts';
import type { DirectoryKind } from './connection/connection.ts';

/** The terms of a directory, and where it shows the values that Atrium needs. */
export interface DirectoryTexts {
  readonly name: string;
  /** For use within sentences. */
  readonly shortName: string;
  readonly console: string;
  readonly clientId: { readonly label: string; readonly where: string };
  readonly secret: { readonly label: string; readonly where: string; readonly renew: string };
  /** The steps there, until it asks for the redirect URI. */
  readonly register: readonly string[];
  /** Where to enter the logout URL, and what that does. */
  readonly logout: string;
  /** The error that it shows on its own page, without sending the browser back, if the redirect URI isn't registered. */
  readonly redirectMismatch: string;
  readonly redirectRemedy: string;
}

export const directoryTexts: Readonly<Record<DirectoryKind, DirectoryTexts>> = {
  entra: {
    name: 'Microsoft Entra ID',
    shortName: 'Entra',
    console: t('Microsoft Entra admin center'),
    clientId: {
      label: t('Application (client) ID'),
      where: t('On the Overview of the app registration. Not the Object ID.'),
    },
    secret: {
      label: t('Client secret'),
      where: t('Certificates & secrets > New client secret: the Value. Not the Secret ID.'),
      renew: t(
        'To renew it, create a new client secret next to the old one, paste its Value here, save and test. Only then delete the old one in Entra.',
      ),
    },
    register: [
      t('Open entra.microsoft.com, then Entra ID > App registrations > New registration.'),
      t('Name: Atrium. Supported account types: accounts in this organizational directory only.'),
      t('Redirect URI: choose Web and paste the address above. Then Register.'),
    ],
    logout: t(
      'With it, sessions end here when people sign out of Entra: Authentication > Front-channel logout URL. Also add the optional claim sid to ID tokens under Token configuration.',
    ),
    redirectMismatch: 'AADSTS50011',
    redirectRemedy: t(
      'App registrations > Atrium > Authentication: add exactly the redirect URI of step 1, under the Web platform.',
    ),
  },
  adfs: {
    name: 'AD FS',
    shortName: 'AD FS',
    console: t('AD FS management console'),
    clientId: { label: t('Client Identifier'), where: t('On the Server application page of the wizard.') },
    secret: {
      label: t('Shared secret'),
      where: t('Configure Application Credentials > Generate a shared secret. It is shown only there.'),
      renew: t(
        'To renew it: Application Groups > Atrium > Server application > Edit > Reset secret. AD FS has only one secret, so save the new one here immediately.',
      ),
    },
    register: [
      t('In the AD FS management console: Application Groups > Add Application Group.'),
      t('Name: Atrium. Template: Server application accessing a web API. Next.'),
      t('Redirect URI: paste the address above, then Add and Next.'),
    ],
    logout: t(
      'With it, sessions end here when people sign out of AD FS: enter it with Set-AdfsServerApplication and its parameter -LogoutUri.',
    ),
    redirectMismatch: 'MSIS9224',
    redirectRemedy: t(
      'Application Groups > Atrium > Server application > Edit: add exactly the redirect URI of step 1.',
    ),
  },
};

import { t } from '#shared/language/messages.ts';
import { connectionOf, type DirectoryKind, type StoredDirectory } from './connection/connection.ts';

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
  /** What to enter as the address. */
  readonly address: string;
  /** What the values of claims are called that map to roles. */
  readonly claims: { readonly roles: string; readonly groups: string };
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
    address: t('Leave empty to derive it from the tenant.'),
    claims: { roles: t('App role value'), groups: t('Group object ID') },
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
    address: t('The host of the federation service is enough, such as adfs.contoso.com.'),
    claims: { roles: t('App role value'), groups: t('Group name') },
  },
  okta: {
    name: 'Okta',
    shortName: 'Okta',
    console: t('Okta Admin Console'),
    clientId: { label: t('Client ID'), where: t('On the General tab of the application.') },
    secret: {
      label: t('Client secret'),
      where: t('On the General tab, under Client Secrets.'),
      renew: t(
        'To renew it, generate a second secret in Okta, save it here and test. Only then deactivate and delete the old one.',
      ),
    },
    register: [
      t('Open Applications > Applications > Create App Integration.'),
      t('Sign-in method: OIDC - OpenID Connect. Application type: Web Application. Next.'),
      t('Sign-in redirect URIs: paste the address above. Assign people or groups, then Save.'),
      t('To map groups to roles: Sign On > OpenID Connect ID Token > Groups claim: groups.'),
    ],
    logout: t('Okta doesn’t need it. Sessions here end when you turn the directory off.'),
    redirectMismatch: '400 Bad Request',
    redirectRemedy: t('Application > General > Login: add exactly the redirect URI of step 1.'),
    address: t('The address of your Okta organization, such as contoso.okta.com.'),
    claims: { roles: t('Role'), groups: t('Group name') },
  },
  keycloak: {
    name: 'Keycloak',
    shortName: 'Keycloak',
    console: t('Keycloak admin console'),
    clientId: { label: t('Client ID'), where: t('As you entered it when you created the client.') },
    secret: {
      label: t('Client secret'),
      where: t('On the Credentials tab of the client.'),
      renew: t('To renew it, regenerate the secret in Keycloak and save the new one here immediately.'),
    },
    register: [
      t('Choose your realm, then Clients > Create client. Client type: OpenID Connect.'),
      t('Client authentication: on. Authentication flow: only Standard flow.'),
      t('Valid redirect URIs: paste the address above. Then Save.'),
      t(
        'People need a verified email address: turn on Email verified for the user, or Trust Email for LDAP.',
      ),
      t('To map groups to roles: Client scopes > Add mapper > Group Membership, with the claim name groups.'),
    ],
    logout: t(
      'With it, sessions end here when people sign out of Keycloak: enter it as the Backchannel logout URL of the client.',
    ),
    redirectMismatch: 'Invalid parameter: redirect_uri',
    redirectRemedy: t('Clients > your client > Settings: add exactly the redirect URI of step 1.'),
    address: t('The realm, such as https://keycloak.contoso.com/realms/contoso.'),
    claims: { roles: t('Role'), groups: t('Group name') },
  },
  google: {
    name: 'Google Workspace',
    shortName: 'Google',
    console: t('Google Cloud console'),
    clientId: { label: t('Client ID'), where: t('It ends with .apps.googleusercontent.com.') },
    secret: {
      label: t('Client secret'),
      where: t('It is shown only when the client is created.'),
      renew: t(
        'To renew it, add a second secret to the client, save it here and test. Only then disable and delete the old one.',
      ),
    },
    register: [
      t('Choose a project of your organization, then Google Auth Platform. Audience: Internal.'),
      t('Clients > Create client. Application type: Web application.'),
      t('Authorized redirect URIs: paste the address above. Then Create.'),
      t('Verify the primary domain of your Google Workspace in step 3: Atrium refuses personal accounts.'),
    ],
    logout: t('Google doesn’t support it. Sessions here end when you turn the directory off.'),
    redirectMismatch: 'redirect_uri_mismatch',
    redirectRemedy: t('Clients > your client: add exactly the redirect URI of step 1.'),
    address: '',
    claims: { roles: t('Role'), groups: t('Group name') },
  },
  oidc: {
    name: t('Another OpenID provider'),
    shortName: t('the identity provider'),
    console: t('Administration of the identity provider'),
    clientId: { label: t('Client ID'), where: t('Where the provider shows the registered client.') },
    secret: {
      label: t('Client secret'),
      where: t('Where the provider shows the registered client.'),
      renew: t('To renew it, create a new secret at the provider and save it here.'),
    },
    register: [
      t('Register a confidential client (web application) for the authorization code flow.'),
      t('Redirect URI: the address above.'),
      t('Claims of the ID token or UserInfo: email, email_verified and name.'),
      t('The client authenticates with its secret, and ID tokens are signed with a key pair, such as RS256.'),
    ],
    logout: t(
      'With it, sessions end here when people sign out at the provider, if it supports back-channel or front-channel logout.',
    ),
    redirectMismatch: t('an error about the redirect URI'),
    redirectRemedy: t('Add exactly the redirect URI of step 1 to the client.'),
    address: t('The issuer, such as https://login.contoso.com.'),
    claims: { roles: t('Role'), groups: t('Group name') },
  },
};

/** Returns the terms of what is stored. Any other provider goes by the name of its directory. */
export function textsOf(stored: StoredDirectory | undefined): DirectoryTexts {
  const { kind } = connectionOf(stored);
  const texts = directoryTexts[kind];
  const name = stored !== undefined && 'isFirst' in stored ? stored.name : undefined;
  return kind !== 'oidc' || name === undefined ? texts : { ...texts, name, shortName: name };
}

/** What an administrator can do about an error of Microsoft Entra ID. */
export interface Explanation {
  readonly message: string;
  readonly remedy: string;
}

/**
 * The codes that administrators are most likely to see, from Microsoft's list "Microsoft Entra authentication and
 * authorization error codes". The table in docs/sso-entra.md has the same texts.
 */
const explanations: Readonly<Record<string, Explanation>> = {
  AADSTS16000: {
    message: 'The account that is signed in at Microsoft doesn’t belong to this tenant.',
    remedy: 'Sign out at Microsoft, or choose another account there.',
  },
  AADSTS50001: {
    message: 'The requested resource doesn’t exist in the tenant.',
    remedy: 'Register the application in this tenant, or correct the tenant.',
  },
  AADSTS50011: {
    message: 'The redirect URI is not registered with the application.',
    remedy:
      'App registrations > Authentication: add exactly the redirect URI from the status, under the platform Web.',
  },
  AADSTS50020: {
    message: 'The account is from another directory and isn’t a guest in this tenant.',
    remedy: 'Sign in with an account from the tenant, or invite the person there as a guest.',
  },
  AADSTS50027: {
    message: 'The token that the server sent isn’t valid for Entra.',
    remedy:
      'Check that the issuer of the server’s workload identity is reachable from the internet, and publishes its keys.',
  },
  AADSTS50034: {
    message: 'The account doesn’t exist in this tenant.',
    remedy: 'Check the email address and the tenant.',
  },
  AADSTS50053: {
    message: 'The account is locked after too many wrong passwords, or the address is blocked.',
    remedy: 'Wait, or unlock the account in Entra.',
  },
  AADSTS50055: {
    message: 'The password has expired.',
    remedy: 'Change the password at Microsoft, then sign in again.',
  },
  AADSTS50057: { message: 'The account is disabled.', remedy: 'Enable it in Entra.' },
  AADSTS50058: {
    message: 'Nobody is signed in at Microsoft in this browser.',
    remedy: 'Sign in again, and allow cookies from login.microsoftonline.com.',
  },
  AADSTS50059: {
    message: 'The request doesn’t identify the tenant.',
    remedy: 'Set the tenant to the directory (tenant) ID of the application.',
  },
  AADSTS50072: {
    message: 'The person has to set up multi-factor authentication first.',
    remedy: 'Complete it at https://aka.ms/mfasetup, then sign in again.',
  },
  AADSTS50076: {
    message: 'Multi-factor authentication is required.',
    remedy: 'Sign in again and complete it; a Conditional Access policy requires it.',
  },
  AADSTS50079: {
    message: 'The person has to enroll in multi-factor authentication first.',
    remedy: 'Complete it at https://aka.ms/mfasetup, then sign in again.',
  },
  AADSTS50105: {
    message: 'The person isn’t assigned to the application.',
    remedy:
      'Enterprise applications > Users and groups: assign the person or a group, or turn off the assignment ' +
      'requirement.',
  },
  AADSTS50126: { message: 'The email address or the password is wrong.', remedy: 'Try again at Microsoft.' },
  AADSTS50194: {
    message: 'The application is single-tenant, but the request went to an endpoint for multiple tenants.',
    remedy: 'Set the tenant to the directory (tenant) ID of the application.',
  },
  AADSTS53000: {
    message: 'The device doesn’t comply with the tenant’s policies.',
    remedy: 'Sign in from a compliant device; see Conditional Access.',
  },
  AADSTS53003: {
    message: 'A Conditional Access policy blocks this sign-in.',
    remedy: 'See the sign-in logs in Entra for the policy.',
  },
  AADSTS65001: {
    message: 'Nobody has consented to the application for this person.',
    remedy: 'App registrations > API permissions: grant admin consent.',
  },
  AADSTS65004: {
    message: 'The person declined to consent.',
    remedy: 'Sign in again and accept, or grant admin consent.',
  },
  AADSTS70001: {
    message: 'The application isn’t in this tenant, or is disabled.',
    remedy: 'Check the client ID and the tenant.',
  },
  AADSTS70011: {
    message: 'A requested permission isn’t valid.',
    remedy: 'Allow openid, profile, email and offline_access.',
  },
  AADSTS70021: {
    message: 'The application doesn’t trust the workload identity of this server.',
    remedy:
      'Certificates & secrets > Federated credentials: enter exactly the issuer, subject and audience that Atrium shows.',
  },
  AADSTS75011: {
    message: 'The way the person signed in doesn’t match the requested authentication method.',
    remedy: 'Sign out at Microsoft, and sign in again.',
  },
  AADSTS90002: {
    message: 'The tenant doesn’t exist.',
    remedy: 'Copy the directory (tenant) ID from the overview of the app registration.',
  },
  AADSTS90072: {
    message: 'The account is from another directory and doesn’t exist in this tenant.',
    remedy: 'Sign in with an account from the tenant, or invite the person there as a guest.',
  },
  AADSTS90094: {
    message: 'An administrator has to consent to the application.',
    remedy: 'App registrations > API permissions: grant admin consent.',
  },
  AADSTS700016: {
    message: 'The application doesn’t exist in the tenant.',
    remedy: 'Check the client ID (Application (client) ID) and the tenant.',
  },
  AADSTS700024: {
    message: 'The token that the server sent has expired, or isn’t valid yet.',
    remedy:
      'Check the clock of the server. With a workload identity, check that the host renews its token file.',
  },
  AADSTS700025: {
    message: 'The application is registered as a public client, which can’t use a secret.',
    remedy: 'App registrations > Authentication: register the redirect URI under the platform Web.',
  },
  AADSTS700054: {
    message: 'The application isn’t allowed to use this response type.',
    remedy: 'App registrations > Authentication: use the platform Web.',
  },
  AADSTS700211: {
    message: 'The application doesn’t trust the issuer of this server’s workload identity.',
    remedy: 'Certificates & secrets > Federated credentials: enter exactly the issuer that Atrium shows.',
  },
  AADSTS700212: {
    message: 'The application doesn’t trust the audience of this server’s workload identity.',
    remedy: 'Certificates & secrets > Federated credentials: enter the audience api://AzureADTokenExchange.',
  },
  AADSTS700213: {
    message: 'The application doesn’t trust the subject of this server’s workload identity.',
    remedy: 'Certificates & secrets > Federated credentials: enter exactly the subject that Atrium shows.',
  },
  AADSTS7000112: {
    message: 'The application is disabled.',
    remedy: 'Enterprise applications > Properties: enable it.',
  },
  AADSTS7000215: {
    message: 'The client secret is wrong.',
    remedy: 'Certificates & secrets: create a new secret, and save its Value in Atrium, not its Secret ID.',
  },
  AADSTS7000218: {
    message: 'The client secret is missing.',
    remedy: 'Certificates & secrets: create a secret, and save its Value in Atrium.',
  },
  AADSTS7000222: {
    message: 'The client secret has expired.',
    remedy: 'Certificates & secrets: create a new secret, and save its Value in Atrium.',
  },
  AADSTS9002313: {
    message: 'The request is malformed, or the code was already used.',
    remedy: 'Sign in again.',
  },
  AADSTS9002325: {
    message: 'Proof Key for Code Exchange is required, and wasn’t accepted.',
    remedy: 'App registrations > Authentication: register the redirect URI under the platform Web.',
  },
};

/** Returns what an Entra error code (`AADSTS…`) means, or undefined if it is not in the list. */
export const explainEntraCode = (code: string): Explanation | undefined =>
  Object.hasOwn(explanations, code) ? explanations[code] : undefined;

/**
 * Returns what an error of an identity provider means. `description` is the provider's own text, which is passed on if
 * it has no known code.
 */
export function explainProviderError(
  error: string,
  description: string | undefined,
): Explanation & { code: string } {
  const code = /\bAADSTS\d{4,10}\b/.exec(description ?? '')?.[0];
  const known = code === undefined ? undefined : explainEntraCode(code);
  if (code !== undefined && known !== undefined) return { code, ...known };
  const text = description === undefined ? error : `${error}: ${description}`;
  return {
    code: code ?? (withoutControls(error).slice(0, 100) || 'provider_error'),
    message: `The identity provider returned the error ${withoutControls(text).slice(0, 500)}`,
    remedy:
      code === undefined && error === 'invalid_client'
        ? 'Enter the client secret again, and check that the client ID belongs to the application.'
        : 'See the identity provider’s documentation of this error.',
  };
}

/** The provider's text is shown in logs and on terminals. */
const withoutControls = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').trim();

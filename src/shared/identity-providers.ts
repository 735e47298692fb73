/**
 * The providers that a directory can be. Those after AD FS have the same rules, those of OpenID Connect; which one it is decides the
 * words on the page.
 */
export const identityProviders = ['entra', 'adfs', 'okta', 'keycloak', 'google', 'oidc'] as const;
export type IdentityProvider = (typeof identityProviders)[number];

/** Whether a text names a provider. */
export const isIdentityProvider = (text: unknown): text is IdentityProvider =>
  identityProviders.some((provider) => provider === text);

/** The claims of a person, from an ID token or the UserInfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Whether a claim is true. AD FS sends booleans as strings. */
export const isTrue = (claim: unknown): boolean => claim === true || claim === 'true';

/** Whether the provider says that the address is not verified. Without the claim, it does not say so. */
export const isEmailDenied = (claims: Claims): boolean =>
  claims['email_verified'] !== undefined && !isTrue(claims['email_verified']);

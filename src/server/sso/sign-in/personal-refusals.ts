/**
 * Refusals that are about one person, while others can sign in: a guest with an address in another domain, an account
 * without an address, a disabled one. Any other code means that the configuration, the provider or the connection
 * between the two does not work.
 */
const personalRefusals: ReadonlySet<string> = new Set([
  'deactivated',
  'domain_refused',
  'email_refused',
  'hosted_domain_refused',
  'link_refused',
  'owner_not_approved',
  // RFC 6749, section 4.1.2.1, and OpenID Connect Core 1.0, section 3.1.2.6.
  'access_denied',
  'account_selection_required',
  'interaction_required',
  'login_required',
  // The account, its password, its factors or its device, at Entra ID.
  'AADSTS16000',
  'AADSTS50020',
  'AADSTS50034',
  'AADSTS50053',
  'AADSTS50055',
  'AADSTS50057',
  'AADSTS50058',
  'AADSTS50072',
  'AADSTS50076',
  'AADSTS50079',
  'AADSTS50105',
  'AADSTS50126',
  'AADSTS53000',
  'AADSTS53003',
  'AADSTS65004',
  'AADSTS75011',
  'AADSTS90072',
]);

/** Whether a refusal is about one person, and so doesn't mean that the configuration does not work. */
export const isPersonal = (code: string): boolean => personalRefusals.has(code);

import { normalizeEmail } from '../base/texts/email-address.ts';
import { hasPasswordLength } from '../base/credentials/new-password.ts';
import type { Environment } from './values.ts';

export interface FirstOwner {
  readonly email: string;
  readonly password: string;
  readonly organization: string;
}

/** Returns the owner that the first start creates, or undefined if no variable is set; adds to `faults`. */
export function readFirstOwner(environment: Environment, faults: string[]): FirstOwner | undefined {
  const emailText = environment['ATRIUM_OWNER_EMAIL']?.trim() ?? '';
  // Not trimmed, since a password can start or end with a space.
  const entered = environment['ATRIUM_OWNER_PASSWORD'] ?? '';
  const password = entered.trim() === '' ? '' : entered;
  const organization = environment['ATRIUM_ORGANIZATION']?.trim() ?? '';
  if (emailText === '' && password === '' && organization === '') return undefined;
  const email = normalizeEmail(emailText);
  if (email === undefined)
    faults.push(
      'ATRIUM_OWNER_EMAIL must be an email address, because another setting of the first owner is set.',
    );
  // Common passwords are refused where the owner is created.
  if (!hasPasswordLength(password)) {
    faults.push(
      'ATRIUM_OWNER_PASSWORD must have 12 to 1,024 characters, because another setting of the first owner is set.',
    );
  }
  if (organization === '')
    faults.push('ATRIUM_ORGANIZATION must be a name, because another setting of the first owner is set.');
  return email === undefined ? undefined : { email, password, organization };
}

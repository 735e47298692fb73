import { newPasswordLength } from '#contract/values.ts';

/** Whether a password may be chosen: by the limits of the contract, in Unicode characters. */
export function isNewPassword(password: string): boolean {
  const { length } = Array.from(password);
  return length >= newPasswordLength.minLength && length <= newPasswordLength.maxLength;
}

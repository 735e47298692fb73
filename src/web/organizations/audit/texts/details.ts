import { t } from '#shared/language/messages.ts';
import { roleName } from '../../../ui/text/roles.ts';

/** The details of an entry. */
export type Details = Readonly<Record<string, unknown>>;

export type Words = (details: Details) => string;

/**
 * The label of an action in the filter, and the text of its entries: `did` continues after the person in the column “Who”, as in
 * “deleted the report …”; `sentence` is complete, because the person in that column isn't the one who acted.
 */
export type ActionText = { readonly label: string } & (
  | { readonly did: Words }
  | { readonly sentence: Words }
);

/** Returns a detail as text; empty if it is absent. */
export const at = (details: Details, name: string): string => {
  const value = details[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Returns a detail in quotation marks. */
export const quoted = (details: Details, name = 'name'): string => t('“{name}”', { name: at(details, name) });

/** Returns the email address, with a note if it is not verified. */
export const emailIn = (details: Details): string =>
  details['emailVerified'] === false
    ? t('{email} (not verified)', { email: at(details, 'email') })
    : at(details, 'email');

/** Returns the name of a role in the details. */
export const role = (details: Details, name = 'role'): string => roleName(at(details, name));

/** Returns an entry with the address that it came from, if it has one. */
export const withAddress = (details: Details, text: string): string => {
  const address = at(details, 'address');
  return address === '' ? text : t('{text} from {address}', { text, address });
};

import type { EndAccessOfPerson } from './accounts/password-reset/ended-access.ts';
import { deleteTokensOfPerson } from './credentials/deletion-store.ts';
import { deleteDisplayLinksOfPerson } from './dashboards/display/store.ts';

/** Ends the tokens, authorizations and links for wall displays of a person, with which somebody else may have kept access. */
export const endAccessOfPerson: EndAccessOfPerson = async (transaction, userId) => ({
  tokens: await deleteTokensOfPerson(transaction, userId),
  displayLinks: await deleteDisplayLinksOfPerson(transaction, userId),
});

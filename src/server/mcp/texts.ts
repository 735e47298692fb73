/** Returns the start of a text of an author, which can be of any length. */
export const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;

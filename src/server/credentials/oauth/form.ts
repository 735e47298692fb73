import { OAuthError } from './errors.ts';

/** The parameters of a request, each once. Those without a value count as absent (RFC 6749, section 3.2). */
export type Form = ReadonlyMap<string, string>;

/**
 * Reads a body of `application/x-www-form-urlencoded`. Throws `invalid_request` if a parameter is repeated, or has U+0000, which no
 * stored text contains, and with which PostgreSQL can't even compare.
 */
export function readForm(text: string): Form {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value.includes('\0')) throw new OAuthError('invalid_request', 'A parameter has U+0000.');
    if (form.has(name)) throw new OAuthError('invalid_request', 'A parameter is sent more than once.');
    form.set(name, value);
  }
  return new Map([...form].filter(([, value]) => value !== ''));
}

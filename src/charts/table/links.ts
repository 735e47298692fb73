/** Longer ones are no addresses, and would take long to parse. */
const maxLength = 2_000;

/** Browsers remove some of these from an address, so that `java\tscript:` would be a script. */
// oxlint-disable-next-line no-control-regex -- These are the characters that must not be in an address.
const unsafeCharacters = /[\u0000-\u0020\u007f\\]/;

/** A name that no server has; it only resolves paths. */
const anywhere = 'http://server.invalid';

/** An address that a cell links to. */
export interface CellLink {
  readonly href: string;
  /** Whether it is on another server. */
  readonly isExternal: boolean;
}

/**
 * Returns the link to an address from data: http, https, mailto, or a path of this server. Undefined for everything else, such
 * as scripts, data, addresses with a password and `//example.com`.
 */
export function cellLink(value: unknown): CellLink | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text === '' || text.length > maxLength || unsafeCharacters.test(text)) return undefined;
  const url = URL.parse(text, text.startsWith('/') ? anywhere : undefined);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  if (text.startsWith('/')) {
    // Dot segments can make `//example.com` of a path.
    if (url.origin !== anywhere || url.pathname.startsWith('//')) return undefined;
    return { href: `${url.pathname}${url.search}${url.hash}`, isExternal: false };
  }
  if (url.protocol === 'mailto:') {
    return url.pathname.includes('@') ? { href: url.href, isExternal: false } : undefined;
  }
  const isWeb = (url.protocol === 'http:' || url.protocol === 'https:') && /^https?:\/\//i.test(text);
  return isWeb ? { href: url.href, isExternal: true } : undefined;
}

const maxUrlLength = 2_000;

/** Browsers remove some of these from a URL, so that `java\tscript:` would be a script. */
// oxlint-disable-next-line no-control-regex -- These are the characters that must not be in a URL.
const unsafeCharacters = /[\u0000-\u0020\u007f\\]/;

/** No address of this can be asked for; it only resolves paths. */
const anywhere = 'http://server.invalid';

/**
 * Returns the address that a link which people wrote leads to: http, https, mailto, or a path of this server, such as
 * `/dashboards/…`. Undefined for everything else, such as scripts, data, addresses with a password and `//example.com`.
 */
export function safeHref(url: string): string | undefined {
  const text = url.trim();
  if (text === '' || text.length > maxUrlLength || unsafeCharacters.test(text)) return undefined;
  if (text.startsWith('/')) return pathOf(text);
  if (!/^(?:https?:\/\/|mailto:)/i.test(text)) return undefined;
  const parsed = URL.parse(text);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return undefined;
  if (parsed.protocol === 'mailto:') return parsed.pathname.includes('@') ? parsed.href : undefined;
  return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed.href : undefined;
}

/** Returns a path that stays on this server; dot segments can make `//example.com` of one that seems to. */
function pathOf(text: string): string | undefined {
  const parsed = URL.parse(text, anywhere);
  if (parsed === null || parsed.origin !== anywhere || parsed.pathname.startsWith('//')) return undefined;
  return `${parsed.pathname}${parsed.search}${parsed.hash}`;
}

/** Whether an address that `safeHref` returned is on another server. */
export const isExternal = (href: string): boolean => !href.startsWith('/');

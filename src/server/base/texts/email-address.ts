import { domainToASCII } from 'node:url';

/**
 * Returns the normalized form in which an email address is stored and compared: lower case, with its domain in ASCII.
 * Returns undefined if the text is not an address: without exactly one `@`, with white space, longer than 254
 * characters, with characters that a mail program would read as more than an address (RFC 5322, section 3.2.3), or with
 * compatibility forms (full-width letters), which two programs could read as two different addresses.
 */
export function normalizeEmail(text: string): string | undefined {
  // Normalizing is quadratic in combining marks, so nothing long is ever normalized.
  if (text.length > 320) return undefined;
  const email = text.trim().toLowerCase();
  if (email !== email.normalize('NFKC') || /[\s\p{C}"(),:;<>[\]\\]/u.test(email)) return undefined;
  const [local, domain, ...rest] = email.split('@');
  if (!local || !domain || rest.length > 0) return undefined;
  const asciiDomain = domainName(domain);
  if (asciiDomain === undefined) return undefined;
  const normalized = `${local}@${asciiDomain}`;
  return normalized.length <= 254 ? normalized : undefined;
}

/**
 * Returns a domain name in lower case and ASCII (RFC 5891), or undefined if `text` is not one: labels of letters,
 * digits and hyphens, 63 characters each, 253 in all (RFC 1035, section 2.3.4), the last not all digits.
 */
export function domainName(text: string): string | undefined {
  if (text.length > 1_000) return undefined;
  const domain = text.trim().toLowerCase();
  // Texts that URL parsers read as more than a name (percent signs, numbers as addresses) never reach the conversion.
  if (!/^[a-z0-9.\-\u0080-\u{10ffff}]+$/u.test(domain)) return undefined;
  // oxlint-disable-next-line no-control-regex -- all of ASCII, including its control characters.
  const ascii = /^[\x00-\x7f]*$/.test(domain) ? domain : domainToASCII(domain);
  const isName =
    ascii.length <= 253 &&
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(ascii);
  return isName && !/(^|\.)[0-9]+$/.test(ascii) ? ascii : undefined;
}

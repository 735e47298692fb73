import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a token is for, by the prefix by which people and secret scanners recognize it. */
export const tokenPrefixes = {
  personal: 'atrium_pat_',
  serviceAccount: 'atrium_sat_',
  clientSecret: 'atrium_ocs_',
  access: 'atrium_oat_',
  refresh: 'atrium_ort_',
  device: 'atrium_odc_',
  authorizationCode: 'atrium_oac_',
} as const;
export type TokenKind = keyof typeof tokenPrefixes;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Digits of 256 bits in base 62. */
const secretLength = 43;
/** Digits of 32 bits in base 62. */
const checksumLength = 6;
const form = /^(atrium_[a-z]{3}_)([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

function toBase62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text;
}

/** With numbers, since it is computed for each request. */
function checksumOf(text: string): string {
  let checksum = '';
  for (let rest = crc32(text); checksum.length < checksumLength; rest = Math.floor(rest / 62))
    checksum = digits.charAt(rest % 62) + checksum;
  return checksum;
}

/**
 * Returns a new token: its prefix, 256 random bits, and the CRC-32 of both, by which a scanner can distinguish it from similar texts without
 * asking the server. The last two are in base 62, without characters that end a word.
 */
export const newBearerToken = (kind: TokenKind): string => toBearerToken(kind, randomBytes(32));

/** Returns the token of 32 secret bytes. */
export function toBearerToken(kind: TokenKind, bytes: Buffer): string {
  const text = tokenPrefixes[kind] + toBase62(BigInt(`0x${bytes.toString('hex')}`), secretLength);
  return text + checksumOf(text);
}

/** Returns what a token is for, or undefined if it is not a token: then nothing is looked up. */
export function kindOfToken(text: string): TokenKind | undefined {
  const [, prefix = '', secret = '', checksum] = form.exec(text) ?? [];
  if (checksum === undefined || checksumOf(prefix + secret) !== checksum) return undefined;
  return (Object.keys(tokenPrefixes) as TokenKind[]).find((kind) => tokenPrefixes[kind] === prefix);
}

import { randomBytes } from 'node:crypto';
import { hashToken } from './tokens.ts';

/** Returns ten new codes, each for one use, of which only hashes are stored. */
export const newRecoveryCodes = (): string[] => Array.from({ length: 10 }, newCode);

/** 100 random bits in four groups of five letters and digits (Crockford's base 32, without ambiguous letters). */
function newCode(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const letters = Array.from(randomBytes(20), (byte) => alphabet[byte % 32]).join('');
  return letters.replaceAll(/(.{5})(?!$)/g, '$1-');
}

/** Hashes a code as typed: without case, spaces and hyphens, and with look-alike letters read as digits. */
export const hashRecoveryCode = (code: string): string =>
  hashToken(
    code
      .toLowerCase()
      .replaceAll(/[\s\p{Dash}]/gu, '')
      .replaceAll('o', '0')
      .replaceAll(/[il]/g, '1'),
  );

import { hash, randomBytes } from 'node:crypto';

/** Returns 256 random bits in base64url: 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Whether `text` has the form of a token, so that nothing else is ever looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/**
 * Returns the form in which a token is stored: its SHA-256 in base64url. A token has 256 random bits, so no salt is
 * needed.
 */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

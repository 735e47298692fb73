/**
 * Returns 128 random bits as 32 hexadecimal digits. Doesn't use `crypto.randomUUID`, which browsers offer only over https
 * and on localhost.
 */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

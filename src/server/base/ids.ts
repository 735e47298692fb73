import { randomUUIDv7 } from 'node:crypto';

/** Returns a new UUIDv7 (RFC 9562, section 5.7): ids made later sort later, to the millisecond. */
export const newId = (): string => randomUUIDv7();

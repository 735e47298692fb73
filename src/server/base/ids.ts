import { randomUUIDv7 } from 'node:crypto';

/** How many ids a millisecond has: they are counted in the 12 bits after the time (RFC 9562, section 6.2, method 1). */
const idsInMillisecond = 0x1000;

let latestMs = 0;
let latestTime = '';
let count = 0;

/**
 * Returns a new UUIDv7 (RFC 9562, section 5.7). Within a process, later ids sort later, even within a millisecond and
 * if the clock is set back. So a list sorted by id is in the order in which things happened.
 */
export function newId(): string {
  const nowMs = Date.now();
  count += 1;
  if (nowMs > latestMs || count === idsInMillisecond) {
    latestMs = Math.max(nowMs, latestMs + 1);
    latestTime = latestMs.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-');
    count = 0;
  }
  return `${latestTime}-7${count.toString(16).padStart(3, '0')}${randomUUIDv7().slice(18)}`;
}

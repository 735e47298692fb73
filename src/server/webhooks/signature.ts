import { createHmac } from 'node:crypto';
import { keyOf } from './secrets.ts';

/**
 * Returns the headers of a request as in Standard Webhooks 1.0: its ID, the time in seconds, and a signature by each secret,
 * which covers both and the body.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, nowMs }: { readonly id: string; readonly body: string; readonly nowMs: number },
): Record<string, string> {
  const seconds = String(Math.floor(nowMs / 1_000));
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}

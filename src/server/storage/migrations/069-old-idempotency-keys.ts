import type { Migration } from './migration.ts';

/** Since when an idempotency key has been old, so that a corrected clock doesn't expire it at once. */
export const oldIdempotencyKeys: Migration = ({ text }) => [
  `alter table idempotency_keys add column old_since ${text}`,
];

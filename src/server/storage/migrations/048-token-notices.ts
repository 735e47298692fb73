import type { Migration } from './migration.ts';

/** Which notice about its end was mailed for a token, and the index by which the tokens that end soon are found. */
export const tokenNotices: Migration = ({ text }) => [
  `alter table tokens add column noticed ${text}`,
  'create index tokens_by_expiry on tokens (expires_at)',
];

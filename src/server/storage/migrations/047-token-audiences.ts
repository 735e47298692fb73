import type { Migration } from './migration.ts';

/** The only part of the server that a token is for; null if it is for all of it. */
export const tokenAudiences: Migration = ({ text }) => [`alter table tokens add column audience ${text}`];

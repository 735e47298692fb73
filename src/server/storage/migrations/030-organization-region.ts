import type { Migration } from './migration.ts';

/** The locale of an organization, and the currency of amounts that name none. */
export const organizationRegion: Migration = ({ text }) => [
  `alter table organizations add column locale ${text} not null default 'auto'`,
  `alter table organizations add column currency ${text} not null default 'XXX'`,
];

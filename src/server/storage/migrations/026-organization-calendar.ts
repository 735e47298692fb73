import type { Migration } from './migration.ts';

/** The time zone of an organization, and the first day of its weeks. */
export const organizationCalendar: Migration = ({ text }) => [
  `alter table organizations add column time_zone ${text} not null default 'UTC'`,
  `alter table organizations add column week_start ${text} not null default 'monday'`,
];

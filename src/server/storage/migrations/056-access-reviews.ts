import type { Migration } from './migration.ts';

/** When roles and shares were given, who gave them, and when members were last seen. */
export const accessReviews: Migration = ({ text }) => [
  `alter table members add column last_seen_at ${text}`,
  `alter table members add column role_at ${text}`,
  `alter table members add column role_by ${text}`,
  `alter table shares add column created_at ${text}`,
  `alter table shares add column created_by ${text}`,
];

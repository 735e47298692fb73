import type { Migration } from './migration.ts';

/** Since when and by whom roles and shares were given, and when members were last seen. */
export const accessReviews: Migration = ({ text }) => [
  `alter table members add column last_seen_at ${text}`,
  `alter table members add column role_at ${text}`,
  `alter table members add column role_by ${text}`,
  `alter table shares add column created_at ${text}`,
  `alter table shares add column created_by ${text}`,
];

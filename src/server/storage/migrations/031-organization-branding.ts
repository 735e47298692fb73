import type { Migration } from './migration.ts';

/** The accent color of an organization, and the first colors of its charts as a list in JSON. */
export const organizationBranding: Migration = ({ text }) => [
  `alter table organizations add column accent_color ${text} not null default '#3b59b4'`,
  `alter table organizations add column chart_colors ${text} not null default '[]'`,
];

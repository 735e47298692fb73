import type { Migration } from './migration.ts';

/** Since when configurations use the identity that the host gives this server. Programs without this step would send their secrets. */
export const workloadIdentity: Migration = ({ text }) => [
  `alter table sso_configurations add column workload_identity_since ${text}`,
];

import type { TSchema } from 'typebox';
import * as passkeyAssertion from './accounts/passkey-assertion.ts';
import * as passkeys from './accounts/passkeys.ts';
import * as passwordReset from './accounts/password-reset.ts';
import * as secondFactorProof from './accounts/second-factor-proof.ts';
import * as sessions from './accounts/sessions.ts';
import * as serviceAccounts from './credentials/service-accounts.ts';
import * as tokens from './credentials/tokens.ts';
import * as comments from './dashboards/comments.ts';
import * as dashboards from './dashboards/dashboards.ts';
import * as events from './dashboards/events.ts';
import * as listing from './dashboards/listing.ts';
import * as results from './dashboards/results.ts';
import * as dataSources from './data-sources/data-sources.ts';
import * as imports from './data-sources/imports.ts';
import * as sourcesTrash from './data-sources/sources-trash.ts';
import * as tablesTrash from './data-sources/tables-trash.ts';
import * as uploads from './data-sources/uploads.ts';
import * as postgresql from './data-sources/postgresql.ts';
import * as documents from './records/documents.ts';
import * as explore from './explore.ts';
import * as folders from './records/folders.ts';
import * as history from './records/history.ts';
import * as images from './images.ts';
import * as models from './models.ts';
import * as operation from './operation.ts';
import * as accessLog from './organizations/access-log.ts';
import * as audit from './organizations/audit.ts';
import * as logStream from './organizations/log-stream.ts';
import * as invitations from './organizations/invitations.ts';
import * as groups from './organizations/groups.ts';
import * as members from './organizations/members.ts';
import * as organizations from './organizations/organizations.ts';
import * as webhooks from './organizations/webhooks.ts';
import * as problem from './problem.ts';
import * as proposals from './proposals.ts';
import * as drill from './reports/drill.ts';
import * as reports from './reports/reports.ts';
import * as reportRuns from './reports/runs.ts';
import * as structure from './reports/structure.ts';
import * as visualizations from './reports/visualizations.ts';
import * as parts from './reports/visualizations/parts.ts';
import * as scopes from './scopes.ts';
import * as server from './server.ts';
import * as sharing from './records/sharing.ts';
import * as configuration from './sso/configuration.ts';
import * as connections from './sso/connections.ts';
import * as domains from './sso/domains.ts';
import * as migration from './sso/migration.ts';
import * as policy from './sso/policy.ts';
import * as signIn from './sso/sign-in.ts';
import * as trash from './records/trash.ts';
import * as values from './values.ts';
import * as versions from './records/versions.ts';

// oxfmt-ignore
const modules = [
  values, problem, server, operation, passkeyAssertion, passkeys, passwordReset, secondFactorProof, sessions, scopes, tokens, serviceAccounts,
  organizations, members, groups, invitations, audit, accessLog, logStream, webhooks,
  configuration, connections, domains, migration, policy, signIn,
  dataSources, imports, uploads, sourcesTrash, tablesTrash, postgresql, parts, visualizations, structure,
  images, models, drill, reports, reportRuns, explore, history,
  dashboards, comments, events, listing, results, folders, sharing, documents, trash, versions, proposals,
];

/**
 * The schemas that have a name in the OpenAPI document: each one that a module of the contract exports, under the name
 * of the export. A text without a pattern or format is not worth a name.
 */
export const namedSchemas: ReadonlyMap<string, TSchema> = new Map(
  modules
    .flatMap((module) => Object.entries<unknown>(module))
    .filter((entry): entry is [string, TSchema] => /^[A-Z]/.test(entry[0]) && isWorthAName(entry[1])),
);

function isWorthAName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const isPlain = 'type' in value && typeof value.type === 'string' && /^(string|boolean)$/.test(value.type);
  return !isPlain || 'pattern' in value || 'format' in value || 'enum' in value;
}

import { StartError } from '../../base/errors.ts';
import type { Database, Reader, Transaction } from '../database.ts';
import { isMissingTable } from '../instance.ts';
import type { Migration } from './migration.ts';
import { initialSchema } from './001-initial-schema.ts';
import { ssoSignIn } from './002-sso-sign-in.ts';
import { dashboardEditing } from './003-dashboard-editing.ts';
import { formerSsoConfigurations } from './004-former-sso-configurations.ts';
import { dashboardTrash } from './005-dashboard-trash.ts';
import { dashboardOrigins } from './006-dashboard-origins.ts';
import { dashboardListing } from './007-dashboard-listing.ts';
import { dashboardEditors } from './008-dashboard-editors.ts';
import { dashboardQueue } from './009-dashboard-queue.ts';
import { reports } from './010-reports.ts';
import { reportOrigins } from './011-report-origins.ts';
import { operators } from './012-operators.ts';
import { instanceAndIdempotency } from './013-instance-and-idempotency.ts';
import { invitersAndPasswordResets } from './014-inviters-and-password-resets.ts';
import { signInProofs } from './015-sign-in-proofs.ts';
import { trash } from './016-trash.ts';
import { starsAndVisits } from './017-stars-and-visits.ts';
import { idTokens } from './018-id-tokens.ts';
import { ssoMigrations } from './019-sso-migrations.ts';
import { uploads } from './020-uploads.ts';
import { disabledAccounts } from './021-disabled-accounts.ts';
import { deletedTables } from './022-deleted-tables.ts';
import { deletedDataSources } from './023-deleted-data-sources.ts';
import { sharedState } from './024-shared-state.ts';
import { backups } from './025-backups.ts';
import { organizationCalendar } from './026-organization-calendar.ts';
import { tableModels } from './027-table-models.ts';
import { shares } from './028-shares.ts';
import { memberGroups } from './029-member-groups.ts';
import { organizationRegion } from './030-organization-region.ts';
import { organizationBranding } from './031-organization-branding.ts';
import { images } from './032-images.ts';
import { comments } from './033-comments.ts';
import { folders } from './034-folders.ts';
import { dashboardStreams } from './035-dashboard-streams.ts';
import { displayLinks } from './036-display-links.ts';
import { listsOutsideFolders } from './037-lists-outside-folders.ts';
import { organizationLogos } from './038-organization-logos.ts';
import { tokens } from './039-tokens.ts';
import { webhooks } from './040-webhooks.ts';
import { clientCredentials } from './041-client-credentials.ts';
import { authorizations } from './043-authorizations.ts';
import { publicClients } from './044-public-clients.ts';
import { proposals } from './045-proposals.ts';
import { directorySessions } from './046-directory-sessions.ts';
import { tokenAudiences } from './047-token-audiences.ts';
import { tokenNotices } from './048-token-notices.ts';
import { ssoConnections } from './049-sso-connections.ts';
import { sessionPolicies } from './050-session-policies.ts';
import { accessLog } from './051-access-log.ts';
import { secondFactors } from './052-second-factors.ts';
import { refreshTokens } from './053-refresh-tokens.ts';
import { provisioning } from './054-provisioning.ts';
import { logChains } from './055-log-chains.ts';
import { accessReviews } from './056-access-reviews.ts';
import { clientCertificates } from './057-client-certificates.ts';
import { deletedOrganizations } from './058-deleted-organizations.ts';
import { accountDeletions } from './059-account-deletions.ts';
import { passkeys } from './060-passkeys.ts';
import { authenticationPolicies } from './061-authentication-policies.ts';
import { confirmationOfSsoChanges } from './062-confirmation-of-sso-changes.ts';
import { deletionIndexes } from './063-deletion-indexes.ts';
import { workloadIdentity } from './064-workload-identity.ts';
import { reportDescriptions } from './065-report-descriptions.ts';
import { widgetEditors } from './066-widget-editors.ts';
import { sessionPauses } from './067-session-pauses.ts';
import { suspendedTokens } from './068-suspended-tokens.ts';
import { oldIdempotencyKeys } from './069-old-idempotency-keys.ts';
import { dashboardImages } from './070-dashboard-images.ts';
import { openedOrganizations } from './071-opened-organizations.ts';
import { timesOfUploads } from './072-times-of-uploads.ts';
import { prepare } from '../prepared-query.ts';

/** The steps in order. The version of a schema is the number of its steps. Released steps never change. */
export const migrations: readonly Migration[] = [
  initialSchema,
  ssoSignIn,
  dashboardEditing,
  formerSsoConfigurations,
  dashboardTrash,
  dashboardOrigins,
  dashboardListing,
  dashboardEditors,
  dashboardQueue,
  reports,
  reportOrigins,
  operators,
  instanceAndIdempotency,
  invitersAndPasswordResets,
  signInProofs,
  trash,
  starsAndVisits,
  idTokens,
  ssoMigrations,
  uploads,
  disabledAccounts,
  deletedTables,
  deletedDataSources,
  sharedState,
  backups,
  organizationCalendar,
  tableModels,
  shares,
  memberGroups,
  organizationRegion,
  organizationBranding,
  images,
  comments,
  folders,
  dashboardStreams,
  displayLinks,
  listsOutsideFolders,
  organizationLogos,
  tokens,
  webhooks,
  clientCredentials,
  authorizations,
  publicClients,
  proposals,
  directorySessions,
  tokenAudiences,
  tokenNotices,
  ssoConnections,
  sessionPolicies,
  accessLog,
  secondFactors,
  refreshTokens,
  provisioning,
  logChains,
  accessReviews,
  clientCertificates,
  deletedOrganizations,
  accountDeletions,
  passkeys,
  authenticationPolicies,
  confirmationOfSsoChanges,
  deletionIndexes,
  workloadIdentity,
  reportDescriptions,
  widgetEditors,
  sessionPauses,
  suspendedTokens,
  oldIdempotencyKeys,
  dashboardImages,
  openedOrganizations,
  timesOfUploads,
];

/**
 * The steps that programs without them don't notice: they only add tables, indexes, and columns that are nullable or
 * have a default. During a rolling upgrade, replicas of the older version continue on the newer schema.
 */
const additive: ReadonlySet<Migration> = new Set([
  sharedState,
  backups,
  organizationCalendar,
  tableModels,
  organizationRegion,
  organizationBranding,
  images,
  comments,
  dashboardStreams,
  displayLinks,
  listsOutsideFolders,
  organizationLogos,
  tokens,
  webhooks,
  clientCredentials,
  authorizations,
  publicClients,
  proposals,
  directorySessions,
  tokenAudiences,
  tokenNotices,
  deletionIndexes,
  openedOrganizations,
  timesOfUploads,
]);

const lockVersion = prepare((sql) =>
  sql.selectFrom('schema_version').select('version').where('id', '=', 1).forUpdate(),
);
const requiredVersion = prepare((sql) =>
  sql.selectFrom('schema_version').select('required_version as required').where('id', '=', 1),
);
const setVersion = prepare((sql, p: { version: number; required: number | undefined }) =>
  sql
    .updateTable('schema_version')
    .set({ version: p.version, ...(p.required !== undefined && { required_version: p.required }) })
    .where('id', '=', 1),
);

/** The key of the lock of the database that one migrating program holds; any number that nothing else uses. */
const migrationLock = 20_261_122;

/** The steps to take, of which tests of upgrades take fewer, or more. */
export interface Steps {
  readonly all?: readonly Migration[];
  readonly additive?: ReadonlySet<Migration>;
  readonly toVersion?: number;
}

/** The version of the schema that this program uses. */
export const knownSchemaVersion = migrations.length;

const selectVersion = prepare((sql) =>
  sql.selectFrom('schema_version').select('version').where('id', '=', 1),
);

/** Returns the version of a database's schema; 0 for an empty database. Changes nothing. */
export async function readSchemaVersion(reader: Reader): Promise<number> {
  try {
    return (await reader.first(selectVersion, {}))?.version ?? 0;
  } catch (error) {
    if (isMissingTable(error)) return 0;
    throw error;
  }
}

/**
 * Brings the schema up to this program's version in one transaction. Of replicas that start at the same time, one migrates
 * and the others wait. A newer schema is accepted if this program can use it;
 * otherwise, throws a `StartError`.
 */
export async function migrate(
  database: Database,
  { all = migrations, additive: compatible = additive, toVersion = all.length }: Steps = {},
): Promise<void> {
  await createVersionRow(database);
  await database.writeSlowly(async (transaction) => {
    // Not only the row: a step that changes its table would wait for the others, which wait for the row.
    if (database.engine === 'PostgreSQL')
      await transaction.execute(`select pg_advisory_xact_lock(${migrationLock})`);
    const version = (await transaction.first(lockVersion, {}))?.version ?? 0;
    if (version > all.length) await requireUsable(transaction, version, all.length);
    if (version >= toVersion) return;
    for (const migration of all.slice(version, toVersion)) {
      for (const statement of migration(database.types, database.engine))
        await transaction.execute(statement);
    }
    const taken = all.slice(0, toVersion);
    const required = 1 + taken.findLastIndex((migration) => !compatible.has(migration));
    // Earlier schemas don't have the column.
    const hasColumn = taken.includes(sharedState);
    await transaction.run(setVersion, { version: toVersion, required: hasColumn ? required : undefined });
  });
}

const versions = prepare((sql) =>
  sql.selectFrom('schema_version').select(['version', 'required_version as required']).where('id', '=', 1),
);

/** Returns why this program can't use the schema of a running server, or undefined if it can. */
export async function findSchemaFault(reader: Reader): Promise<string | undefined> {
  const { version = 0, required = version } = (await reader.first(versions, {})) ?? {};
  if (version < migrations.length)
    return 'The schema of the database is older than this version of Atrium. Restart the server to update it.';
  if (version > migrations.length && (required ?? version) > migrations.length)
    return 'The schema of the database is newer than this version of Atrium. Start the newer version.';
  return undefined;
}

/** A step that would be taken. */
export interface TriedStep {
  /** Such as `24: shared state`. */
  readonly name: string;
  readonly durationMs: number;
}

/** How long trying the steps waits for the locks of other programs. */
const trialLockMs = 5_000;

/**
 * Takes the pending steps in a transaction that is undone, and returns how long each took. On PostgreSQL, the tables that they
 * change are locked meanwhile.
 */
export async function tryPendingSteps(
  database: Database,
  all: readonly Migration[] = migrations,
): Promise<readonly TriedStep[]> {
  const tried: TriedStep[] = [];
  const undone = new Error('The trial ends here, so that the transaction is rolled back.');
  try {
    await database.writeSlowly(async (transaction) => {
      tried.length = 0;
      if (database.engine === 'PostgreSQL')
        await transaction.execute(`set local lock_timeout = ${trialLockMs}`);
      const version = (await transaction.first(lockVersion, {}))?.version ?? 0;
      for (const [index, migration] of all.entries()) {
        if (index < version) continue;
        const startedAt = performance.now();
        for (const statement of migration(database.types, database.engine))
          await transaction.execute(statement);
        tried.push({ name: stepName(index, migration), durationMs: performance.now() - startedAt });
      }
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return tried;
}

/** Steps are named by their functions: `sharedState` is `24: shared state`. */
const stepName = (index: number, { name }: Migration): string =>
  `${index + 1}: ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;

/** Throws a `StartError` if a schema has a step that this program would notice. */
async function requireUsable(transaction: Transaction, version: number, known: number): Promise<void> {
  const required = (await transaction.first(requiredVersion, {}))?.required ?? version;
  if (required <= known) return;
  throw new StartError(
    `The database is newer than this version of Atrium: its schema has version ${version}, and this program knows ` +
      `versions up to ${known}. Start the newer version of Atrium, or restore an older backup.`,
  );
}

/** On PostgreSQL, two simultaneous `create table if not exists` can conflict; the one that fails is repeated. */
async function createVersionRow(database: Database, attemptsLeft = 5): Promise<void> {
  try {
    await database.writeSlowly(async (transaction) => {
      await transaction.execute(
        'create table if not exists schema_version (id integer primary key, version integer not null)',
      );
      await transaction.execute(
        'insert into schema_version (id, version) values (1, 0) on conflict do nothing',
      );
    });
  } catch (error) {
    if (attemptsLeft === 0 || error instanceof StartError) throw error;
    await createVersionRow(database, attemptsLeft - 1);
  }
}

import type { ConnectionPolicy, SsoConnection, SsoConnectionInput } from '#contract/sso/connections.ts';
import type { SsoStatus } from '#contract/sso/policy.ts';
import type { IdentityProvider } from '#shared/identity-providers.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp } from '../../base/clock.ts';
import { AtriumError, invalidBody } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type Page, type PageRequest, toPage, withinBytes } from '../../base/paging.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { requirePermissionToChangeSso } from '../permission.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { deleteIdentities } from '../identity/store.ts';
import { findOutcomes, isFailing } from '../sign-in/outcome-store.ts';
import { derivedDiscoveryUrl } from '../protocol/entra.ts';
import { normalizeDomains, type SsoConfigurationDependencies } from './configurations.ts';
import { storeFormerConfiguration } from './former-store.ts';
import { savePolicy } from './policies.ts';
import { deleteSsoPolicy, getStoredSsoPolicy } from './policy-store.ts';
import { describeConfiguration, removeConfiguration, saveConfiguration } from './saving.ts';
import {
  findAllBlockingReasons,
  readTokenOnce,
  stateOf,
  type ClientCredentials,
  type ReadableCredentials,
} from './states.ts';
import { describeStatus, type StatusDependencies } from './status.ts';
import {
  getConfiguration,
  selectConfigurations,
  type ConnectionKey,
  type StoredSsoConfiguration,
} from './store.ts';

/** Each can be a thousand DNS queries a day, and the pages show all. */
const maxConnections = 20;

interface ConnectionReader extends ClientCredentials {
  readonly database: Reader;
}

/** Lists the directories of an organization, the first one first. Owner or admin. */
export async function listConnections(
  { database, ...credentials }: ConnectionReader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<SsoConnection>> {
  await requirePermission(database, actor, organizationId, 'sso.manage');
  const all = await selectConfigurations(database, organizationId);
  const from = page.after === undefined ? 0 : 1 + all.findIndex(({ id }) => id === page.after);
  const rows = withinBytes(all.slice(from, from + page.limit).map(measured));
  const shown = toPage({ rows, hasMore: all.length > from + rows.length }, ({ id }) => id);
  const items = [];
  const known = readTokenOnce(credentials);
  for (const stored of shown.items) items.push(await describe(database, known, stored));
  return { ...shown, items };
}

/** The texts of the first directory are as long as a body, and each of the others can have 1,000 domains. */
const measured = (
  stored: StoredSsoConfiguration,
): StoredSsoConfiguration & { readonly sizeBytes: number } => ({
  ...stored,
  sizeBytes: stored.emailDomains.reduce((sum, domain) => sum + domain.length, 0),
});

/** Returns a directory. Owner or admin. Throws `not_found`. */
export async function getConnection(
  { database, ...credentials }: ConnectionReader,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<SsoConnection> {
  await requirePermission(database, actor, organizationId, 'sso.manage');
  return describe(database, credentials, await getConfiguration(database, organizationId, id));
}

/** What a body says about a directory, except for its secret. */
type EnteredFields = Pick<
  StoredSsoConfiguration,
  | 'name'
  | 'provider'
  | 'clientId'
  | 'tenantId'
  | 'discoveryUrl'
  | 'isDiscoveryUrlDerived'
  | 'emailDomains'
  | 'enabled'
>;

/** What a body says about a new directory, and its secret. */
export interface NewConnection {
  readonly fields: EnteredFields;
  readonly sentSecret: string | undefined;
}

/** Reads the body of a new directory. Throws `invalid_body` for what its provider does not have. */
export const readNewConnection = async (
  dependencies: Pick<SsoConfigurationDependencies, 'entraAuthority'>,
  input: SsoConnectionInput,
): Promise<NewConnection> => ({
  fields: await readInput(dependencies, input, false),
  sentSecret: input.clientSecret,
});

/** Adds a directory. Owner or admin. Values that can't be used for signing in are stored too. Throws `too_many_connections`. */
export async function createConnection(
  transaction: Transaction,
  dependencies: Pick<SsoConfigurationDependencies, 'clock'> & ClientCredentials,
  actor: Actor,
  organizationId: string,
  { fields, sentSecret }: NewConnection,
): Promise<SsoConnection> {
  const actorRole = await requirePermissionToChangeSso(
    transaction,
    dependencies.clock,
    actor,
    organizationId,
  );
  if ((await selectConfigurations(transaction, organizationId)).length >= maxConnections) {
    throw new AtriumError(
      'too_many_connections',
      `An organization can have up to ${maxConnections} directories. Delete one that is no longer used.`,
    );
  }
  const now = timestamp(dependencies.clock());
  const own = { organizationId, id: newId(), isFirst: false, version: 1, createdAt: now, updatedAt: now };
  const stored = await saveConfiguration(transaction, dependencies, actor, {
    actorRole,
    previous: undefined,
    sentSecret,
    next: { ...fields, ...own },
  });
  return describe(transaction, dependencies, stored);
}

/** Replaces a directory. Owner or admin. Throws `not_found`. */
export async function putConnection(
  dependencies: SsoConfigurationDependencies & ClientCredentials,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
  input: SsoConnectionInput,
): Promise<SsoConnection> {
  const { database, clock } = dependencies;
  await requirePermission(database, actor, organizationId, 'sso.manage');
  const { isFirst } = await getConfiguration(database, organizationId, id);
  const fields = await readInput(dependencies, input, isFirst);
  const stored = await database.write(async (transaction) => {
    const actorRole = await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const previous = await getConfiguration(transaction, organizationId, id);
    const { version, createdAt } = previous;
    return saveConfiguration(transaction, dependencies, actor, {
      actorRole,
      previous,
      sentSecret: input.clientSecret,
      next: {
        ...fields,
        organizationId,
        id,
        isFirst,
        version: version + 1,
        createdAt,
        updatedAt: timestamp(clock()),
      },
    });
  });
  // After the transaction, since it can read the token file of the host, whose file system may not respond.
  return describe(database, dependencies, stored);
}

/** Deletes a directory, and ends what was obtained through it. Owner or admin. Throws `not_found`. */
export async function deleteConnection(
  { database, clock }: Pick<SsoConfigurationDependencies, 'database' | 'clock'>,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<void> {
  await database.write(async (transaction) => {
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const stored = await getConfiguration(transaction, organizationId, id);
    if (stored.isFirst) await storeFormerConfiguration(transaction, stored);
    else await deleteSsoPolicy(transaction, stored);
    await removeConfiguration(transaction, clock, actor, stored);
    if (!stored.isFirst) await deleteIdentities(transaction, stored);
  });
}

/** Returns whether sign-in through a directory works and, if not, why and what to do. Owner or admin. Throws `not_found`. */
export async function getConnectionStatus(
  dependencies: StatusDependencies,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<SsoStatus> {
  const { database } = dependencies;
  await requirePermission(database, actor, organizationId, 'sso.manage');
  return describeStatus(dependencies, actor, await getConfiguration(database, organizationId, id));
}

/** Returns the policy of a directory. Owner or admin. Throws `not_found`. */
export async function getConnectionPolicy(
  reader: Reader,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
): Promise<ConnectionPolicy> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  return getStoredSsoPolicy(reader, await getConfiguration(reader, organizationId, id));
}

/** Replaces the policy of a directory, with the rules of the first one's. Throws `not_found`. */
export function putConnectionPolicy(
  { database, clock }: Pick<SsoConfigurationDependencies, 'database' | 'clock'>,
  actor: Actor,
  { organizationId, id }: ConnectionKey,
  policy: ConnectionPolicy,
): Promise<ConnectionPolicy> {
  return database.write(async (transaction) => {
    const actorRole = await requirePermissionToChangeSso(transaction, clock, actor, organizationId);
    const stored = await getConfiguration(transaction, organizationId, id);
    await savePolicy(transaction, clock, actor, { actorRole, configuration: stored, policy });
    return getStoredSsoPolicy(transaction, stored);
  });
}

/** Returns what a body says about a directory. Throws `invalid_body` for what its provider does not have. */
async function readInput(
  { entraAuthority }: Pick<SsoConfigurationDependencies, 'entraAuthority'>,
  { name, provider, clientId, tenantId, discoveryUrl, emailDomains, enabled }: SsoConnectionInput,
  isFirst: boolean,
): Promise<EnteredFields> {
  if (tenantId !== undefined && provider !== 'entra')
    throw invalidBody({ pointer: '/tenantId', code: 'provider', message: 'is only for the provider entra' });
  if (isFirst && provider !== 'entra' && provider !== 'adfs')
    throw invalidBody({
      pointer: '/provider',
      code: 'provider',
      message: 'must be entra or adfs for the first directory',
    });
  const isDerived = discoveryUrl === undefined && provider === 'entra';
  return {
    name: isFirst ? '' : name,
    provider: isFirst ? 'idp_ad' : provider,
    clientId,
    tenantId,
    discoveryUrl: isDerived ? derivedDiscoveryUrl(entraAuthority, tenantId) : (discoveryUrl ?? ''),
    isDiscoveryUrlDerived: isDerived,
    emailDomains: await normalizeDomains(emailDomains),
    enabled,
  };
}

async function describe(
  reader: Reader,
  credentials: ReadableCredentials,
  stored: StoredSsoConfiguration,
): Promise<SsoConnection> {
  const blocking = await findAllBlockingReasons(reader, credentials, stored);
  return {
    ...describeConfiguration(stored),
    isFirst: stored.isFirst,
    provider: providerOf(stored),
    state: stateOf(stored.enabled, blocking.length > 0, isFailing(await findOutcomes(reader, stored))),
  };
}

/** The first one is Entra or AD FS by its tenant. Sound because only `readInput` chooses the others. */
const providerOf = ({
  isFirst,
  provider,
  tenantId,
  isDiscoveryUrlDerived,
}: StoredSsoConfiguration): IdentityProvider => {
  if (!isFirst) return provider as IdentityProvider;
  return tenantId !== undefined || isDiscoveryUrlDerived ? 'entra' : 'adfs';
};

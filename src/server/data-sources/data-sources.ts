import type { DataSource, DataSourceInput } from '#contract/data-sources/data-sources.ts';
import { connections, type DataSourceKind, type SourceOfKind } from '#contract/data-sources/kinds.ts';
import type { Fault } from '#contract/problem.ts';
import { guardOf } from '#contract/validation/fault-finder.ts';
import { mayOn } from '#shared/permissions.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { invalidFaults } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import { nextSealed, type SecretBox } from '../base/credentials/secret-box.ts';
import { requirePermission } from '../organizations/authorization.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { editSource, requireDataSource, requireDataSourceToChange, standingOf } from './access.ts';
import { insertDataSource, selectDataSources, updateDataSource, type StoredDataSource } from './store.ts';
import { passwordPurpose } from './passwords.ts';
import type { ReadConnection } from './kinds/kind.ts';
import { sourceKinds } from './kinds/registry.ts';

/** Dependencies of changing data sources. */
export interface DataSourceDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

/** Creates a data source. Editor or higher for files, admin or higher for servers. Throws `invalid_body` with every fault. */
export async function createDataSource(
  transaction: Transaction,
  { clock, secretBox }: Pick<DataSourceDependencies, 'clock' | 'secretBox'>,
  actor: Actor,
  { organizationId, ...input }: DataSourceInput & { readonly organizationId: string },
): Promise<DataSource> {
  const { name, kind } = input;
  await requirePermission(transaction, actor, organizationId, sourceKinds[kind].manage);
  const { connection, password: sent, faults } = readConnection(kind, input);
  if (faults.length > 0) throw invalidFaults(faults);
  const now = timestamp(clock());
  const password = nextSealed(secretBox, organizationId, passwordPurpose, { sent, kept: undefined });
  const ids = { id: newId(), organizationId };
  const stored = { ...ids, name, kind, connection, password, createdAt: now, updatedAt: now };
  await addDataSource(transaction, clock, actor, stored);
  return toDataSource(stored);
}

/** Stores a new data source of the actor, and records it in the audit log. */
export async function addDataSource(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  stored: StoredDataSource,
): Promise<void> {
  await insertDataSource(transaction, stored, actor.userId);
  await recordSourceChange(transaction, clock, actor, 'data_source.created', stored);
}

/** Returns a data source that the actor may see. Throws `not_found`. */
export async function getDataSource(reader: Reader, actor: Actor, id: string): Promise<DataSource> {
  return toDataSource(await requireDataSource(reader, actor, id, 'data_source.view'));
}

/** Lists the data sources of an organization that the actor may see, newest first. Any member. */
export async function listDataSources(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<DataSource>> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  const sources = await selectDataSources(reader, { organizationId, userId: actor.userId }, page);
  return toPage(mapRows(sources, toDataSource), ({ id }) => id);
}

/**
 * Changes the name and the connection of a data source. Requires permission to edit it. A stored
 * password is removed if it would be sent to another place, or less securely. Throws `invalid_body` with every fault.
 */
export function replaceDataSource(
  { database, clock, secretBox }: DataSourceDependencies,
  actor: Actor,
  { id, ...input }: DataSourceInput & { readonly id: string },
): Promise<DataSource> {
  return database.write(async (transaction) => {
    const source = await requireDataSourceToChange(transaction, actor, id, editSource);
    const { mayKeepPassword } = sourceKinds[source.kind];
    const { connection, password: sent, faults } = readConnection(source.kind, input);
    const found = input.kind === source.kind ? faults : [kindFault(source), ...faults];
    if (found.length > 0) throw invalidFaults(found);
    const mayKeep =
      source.connection !== undefined &&
      connection !== undefined &&
      mayKeepPassword?.(source.connection, connection) === true;
    const kept = mayKeep ? source.password : undefined;
    const password = nextSealed(secretBox, source.organizationId, passwordPurpose, { sent, kept });
    const stored = { ...source, name: input.name, connection, password, updatedAt: timestamp(clock()) };
    await updateDataSource(transaction, stored);
    await recordSourceChange(transaction, clock, actor, 'data_source.changed', stored, {
      passwordChanged: password !== source.password,
    });
    return toDataSource(stored);
  });
}

/** Reads the connection that was sent for a source of `kind`. The contract only checks that it is one of any kind. */
function readConnection(kind: DataSourceKind, input: SourceOfKind<'input'>): ReadConnection {
  const schema = connections[input.kind]?.input;
  if (schema === undefined || input.connection === undefined || guardOf(schema)(input.connection))
    return sourceKinds[kind].readConnection(input);
  return {
    faults: [{ pointer: '/connection', code: 'kind', message: `must be a connection of ${input.kind}` }],
  };
}

const kindFault = ({ kind }: StoredDataSource): Fault => ({
  pointer: '/kind',
  code: 'const',
  message: `must be ${kind}: the kind of a data source cannot change`,
});

/**
 * Returns the reports that use a data source, or one of its tables, and that a member may see, and how many there are: in all
 * with `countsAll`, otherwise of those.
 */
export type FindSourceUses = (
  reader: Reader,
  source: {
    readonly organizationId: string;
    readonly id: string;
    readonly table?: string;
    readonly userId: string;
    readonly countsAll: boolean;
  },
) => Promise<{ reports: { id: string; name: string }[]; reportCount: number }>;

/** Returns the reports that use a data source, or one of its tables. People who may change the data source get the count of all. */
export async function listSourceUses(
  { database, findUses }: { readonly database: Reader; readonly findUses: FindSourceUses },
  actor: Actor,
  id: string,
  { table }: { readonly table?: string },
): ReturnType<FindSourceUses> {
  const source = await requireDataSource(database, actor, id, 'data_source.view');
  const countsAll = mayOn(standingOf(source, actor.userId), editSource(source));
  const { organizationId } = source;
  const asked = {
    organizationId,
    id,
    userId: actor.userId,
    countsAll,
    ...(table !== undefined && { table }),
  };
  return findUses(database, asked);
}

/** Records a change of a data source in the audit log, by the server itself without an actor. */
export async function recordSourceChange(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  action: Extract<AuditAction, `data_source.${string}`>,
  { organizationId, id, name, kind, connection, password }: StoredDataSource,
  more: object = {},
): Promise<void> {
  const about = connection && { connection: { ...connection, hasPassword: password !== undefined } };
  const details = { dataSourceId: id, name, kind, ...about, ...more };
  await recordAudit(transaction, clock, { organizationId, action, ...(actor && { actor }), details });
}

export function toDataSource(stored: StoredDataSource): DataSource {
  const { id, organizationId, name, kind, connection, password, createdAt, updatedAt } = stored;
  return {
    id,
    organizationId,
    name,
    kind,
    ...(connection && { connection: { ...connection, hasPassword: password !== undefined } }),
    createdAt,
    updatedAt,
    // Sound because the connection was read by its kind.
  } as DataSource;
}

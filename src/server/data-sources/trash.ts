import type { DataSource } from '#contract/data-sources/data-sources.ts';
import type { DeletedDataSource as Shown } from '#contract/data-sources/sources-trash.ts';
import { restorableDays } from '#shared/trash.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../base/paging.ts';
import { requirePermission } from '../organizations/authorization.ts';
import type { Database, Reader } from '../storage/database.ts';
import { editSource, requireDataSourceToChange } from './access.ts';
import { recordSourceChange, toDataSource, type FindSourceUses } from './data-sources.ts';
import type { StoredDataSource } from './store.ts';
import {
  deleteDataSourceRow,
  lockOldSources,
  selectDeletedSources,
  setSourceDeleted,
  trashKeyOf,
} from './trash-store.ts';

const restorableMs = daysMs(restorableDays);

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Moves a data source to the trash. Editor or higher for files, admin or higher for servers. Throws `data_source_in_use` if
 * reports use it, unless it is forced; those in the trash don't count.
 */
export async function deleteDataSource(
  { database, clock, findUses }: Dependencies & { readonly findUses: FindSourceUses },
  actor: Actor,
  { id, isForced }: { readonly id: string; readonly isForced: boolean },
): Promise<void> {
  await database.write(async (transaction) => {
    const source = await requireDataSourceToChange(transaction, actor, id, editSource);
    const uses = isForced
      ? undefined
      : await findUses(transaction, { ...source, userId: actor.userId, countsAll: true });
    if (uses !== undefined && uses.reportCount > 0) {
      const reports = uses.reportCount === 1 ? 'A report uses' : `${uses.reportCount} reports use`;
      throw new AtriumError('data_source_in_use', `${reports} this data source.`, { extension: uses });
    }
    await setSourceDeleted(transaction, id, { deletedAt: timestamp(clock()), deletedBy: actor.userId });
    await recordSourceChange(transaction, clock, actor, 'data_source.deleted', source);
  });
}

/** Lists the data sources in an organization's trash that the actor may see, the last deleted first. Editor or higher. */
export async function listDeletedSources(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Shown>> {
  await requirePermission(reader, actor, organizationId, 'data_source.browse');
  const sources = await selectDeletedSources(reader, { organizationId, userId: actor.userId }, page);
  const shown = mapRows(sources, ({ id, name, kind, deletedAt, deletedBy, deletedByName }) => ({
    id,
    organizationId,
    name,
    kind,
    deletedAt,
    deletedBy,
    deletedByName,
    purgeAt: timestamp(Date.parse(deletedAt) + restorableMs),
  }));
  return toPage(shown, trashKeyOf);
}

/** Restores a data source with its tables and its password. Editor or higher for files, admin or higher for servers. Throws `not_found`. */
export function restoreSource(
  { database, clock }: Dependencies,
  actor: Actor,
  id: string,
): Promise<DataSource> {
  return database.write(async (transaction) => {
    const source = await requireDataSourceToChange(transaction, actor, id, editSource, 'in the trash');
    await setSourceDeleted(transaction, id, { deletedAt: null, deletedBy: null });
    await recordSourceChange(transaction, clock, actor, 'data_source.restored', source);
    return toDataSource(source);
  });
}

/** Deletes a data source in the trash with its tables and its password, and returns it. Requires the same role as restoring it. Throws `not_found`. */
export function purgeSource(
  { database, clock }: Dependencies,
  actor: Actor,
  id: string,
): Promise<StoredDataSource> {
  return database.write(async (transaction) => {
    const source = await requireDataSourceToChange(transaction, actor, id, editSource, 'in the trash');
    await deleteDataSourceRow(transaction, id);
    await recordSourceChange(transaction, clock, actor, 'data_source.purged', source);
    return source;
  });
}

/** Few at a time, so that other writes hardly wait. */
const purgedPerTransaction = 20;

/** Deletes data sources that have been in the trash for 30 days. Their files then belong to no table, and are swept. */
export async function purgeOldSources(
  { database, clock }: Dependencies,
  stopped: Pick<AbortSignal, 'aborted'>,
): Promise<void> {
  const range = { before: timestamp(clock() - restorableMs), limit: purgedPerTransaction };
  let count: number;
  do {
    count = await database.write(async (transaction) => {
      const sources = await lockOldSources(transaction, range);
      for (const source of sources) {
        await deleteDataSourceRow(transaction, source.id);
        await recordSourceChange(transaction, clock, undefined, 'data_source.purged', source);
      }
      return sources.length;
    });
  } while (count === purgedPerTransaction && !stopped.aborted);
}

import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { cursorOf, withinBytes, type Page, type PageRequest } from '../base/paging.ts';
import { listOrganizationIds, requirePermission } from '../organizations/authorization.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { trashStore, type TrashPosition, type TrashRow, type TrashTable } from './trash-store.ts';

/** How long a deleted record can be restored. */
const storedDays = 30;

/** Few at once, so that other writes hardly wait. */
const purgedAtOnce = 20;

/** What a cursor of the trash holds: when a record was deleted, and its id. */
export const trashKey = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z [0-9a-f-]{36}$/;

/** When a record was deleted, by whom, and when it is deleted permanently. */
export interface Deletion {
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly deletedByName: string;
  readonly purgeAt: string;
}

/**
 * Lists the deleted records that the actor may restore, the last deleted first: those of one organization, or all that the
 * session opens.
 */
export type ListTrash<Summary> = (
  reader: Reader,
  actor: Actor,
  organizationId: string | undefined,
  page: PageRequest,
) => Promise<Page<Summary & Deletion>>;

/** Returns how to list the trash of one kind of record. */
export function trashList<Summary>(
  table: TrashTable,
  toSummary: (row: TrashRow) => Summary,
): ListTrash<Summary> {
  const store = trashStore(table);
  return async (reader, actor, organizationId, page) => {
    if (organizationId !== undefined) {
      await requirePermission(reader, actor, organizationId, 'organization.view');
    }
    const scope = {
      userId: actor.userId,
      organizationIds:
        organizationId === undefined ? await listOrganizationIds(reader, actor) : [organizationId],
      ownerId: organizationId === undefined && actor.scope === 'all' ? actor.userId : undefined,
    };
    const positions = await store.selectPositions(reader, scope, {
      after: page.after === undefined ? undefined : toPosition(page.after),
      limit: page.limit + 1,
    });
    const shown = withinBytes(positions.slice(0, page.limit));
    const last = shown.at(-1);
    if (last === undefined) return { items: [] };
    const rows = await store.selectRows(
      reader,
      shown.map(({ id }) => id),
    );
    return {
      items: rows.map((row) => ({ ...toSummary(row), ...toDeletion(row) })),
      ...(positions.length > shown.length && { nextCursor: cursorOf(`${last.at} ${last.id}`) }),
    };
  };
}

function toPosition(key: string): TrashPosition {
  const [at = '', id = ''] = key.split(' ');
  return { at, id };
}

const toDeletion = ({ deletedAt, deletedBy, deletedByName }: TrashRow): Deletion => ({
  deletedAt,
  deletedBy,
  deletedByName,
  purgeAt: timestamp(Date.parse(deletedAt) + daysMs(storedDays)),
});

/** How one kind of record is deleted permanently. */
interface Purge<Old> {
  /** Returns up to `limit` records that were deleted before a time; skips those that another replica has locked. */
  lockOld(transaction: Transaction, range: { before: string; limit: number }): Promise<readonly Old[]>;
  /** Deletes one permanently, and records that in the audit log. */
  remove(transaction: Transaction, old: Old): Promise<void>;
}

/** Deletes permanently what has been in the trash for 30 days, a few at once; replicas may do so at the same time. */
export async function purgeOld<Old>(
  database: Database,
  clock: Clock,
  stopped: Pick<AbortSignal, 'aborted'>,
  { lockOld, remove }: Purge<Old>,
): Promise<void> {
  const before = timestamp(clock() - daysMs(storedDays));
  let purged: number;
  do {
    purged = await database.write(async (transaction) => {
      const records = await lockOld(transaction, { before, limit: purgedAtOnce });
      for (const record of records) await remove(transaction, record);
      return records.length;
    });
  } while (purged === purgedAtOnce && !stopped.aborted);
}

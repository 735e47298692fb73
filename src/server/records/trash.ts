import { restorableDays } from '#shared/trash.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { cursorOf, withinBytes, type Page, type PageRequest } from '../base/paging.ts';
import { listOrganizationIds, requirePermission } from '../organizations/authorization.ts';
import type { Database, Reader } from '../storage/database.ts';
import { requireRecordToChange } from './access.ts';
import { recordChange } from './audit.ts';
import { requireExpected, type ExpectedVersion } from './versions/expected.ts';
import type { PlacedKind, RecordKind } from './kind.ts';
import type { StoredRecord } from './record.ts';
import type { TrashPosition, TrashRow } from './trash-store.ts';

/** Few at a time, so that other writes hardly wait. */
const purgedPerTransaction = 20;

/** The key that a cursor of the trash holds: when a record was deleted, and its ID. */
export const trashKey = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z [0-9a-f-]{36}$/;

/** When a record was deleted, by which user, and when it will be deleted permanently. */
export type Deletion = {
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly deletedByName: string;
  readonly purgeAt: string;
};

/**
 * Lists the deleted records that the actor may restore, the last deleted first: those of one organization, or all in the
 * actor's scope.
 */
export async function listTrash<Summary extends object>(
  reader: Reader,
  actor: Actor,
  { trash, toSummary }: Pick<RecordKind<object, StoredRecord, Summary>, 'trash' | 'toSummary'>,
  organizationId: string | undefined,
  page: PageRequest,
): Promise<Page<Summary & Deletion>> {
  if (organizationId !== undefined) {
    await requirePermission(reader, actor, organizationId, 'organization.view');
  }
  const scope = {
    userId: actor.userId,
    organizationIds:
      organizationId === undefined ? await listOrganizationIds(reader, actor) : [organizationId],
    ownerId: organizationId === undefined && actor.scope === 'all' ? actor.userId : undefined,
  };
  const positions = await trash.selectPositions(reader, scope, {
    after: page.after === undefined ? undefined : toPosition(page.after),
    limit: page.limit + 1,
  });
  const shown = withinBytes(positions.slice(0, page.limit));
  const last = shown.at(-1);
  if (last === undefined) return { items: [] };
  const rows = await trash.selectRows(
    reader,
    shown.map(({ id }) => id),
  );
  return {
    items: rows.map((row) => ({ ...toSummary(row), ...toDeletion(row) })),
    ...(positions.length > shown.length && { nextCursor: cursorOf(`${last.at} ${last.id}`) }),
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
  purgeAt: timestamp(Date.parse(deletedAt) + daysMs(restorableDays)),
});

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** Moves a record to the trash. Throws `unknown_version` unless its version is an expected one. */
export async function moveToTrash<Stored extends StoredRecord>(
  { database, clock }: Dependencies,
  actor: Actor,
  kind: PlacedKind<Stored>,
  { id, expected }: { readonly id: string; readonly expected: ExpectedVersion },
): Promise<void> {
  await database.write(async (transaction) => {
    const record = await requireRecordToChange(transaction, actor, kind, { id, needed: 'edit' });
    requireExpected(expected, record.version);
    await kind.store.setDeleted(transaction, id, { at: timestamp(clock()), userId: actor.userId });
    await kind.onChange(transaction, record, { isRenamed: true });
    await recordChange(transaction, clock, actor, { kind: kind.name, action: 'deleted', record });
  });
}

/** Restores a record from the trash as it was, with its versions. Throws `not_found` and `forbidden`. */
export function restoreFromTrash<Stored extends StoredRecord>(
  { database, clock }: Dependencies,
  actor: Actor,
  kind: PlacedKind<Stored>,
  id: string,
): Promise<Stored> {
  return database.write(async (transaction) => {
    const input = { id, needed: 'edit', place: 'in the trash' } as const;
    const record = await requireRecordToChange(transaction, actor, kind, input);
    await kind.store.setDeleted(transaction, id, undefined);
    await kind.onChange(transaction, record, { isRenamed: true });
    await recordChange(transaction, clock, actor, { kind: kind.name, action: 'restored', record });
    return record;
  });
}

/** Permanently deletes a record that is in the trash. Throws `not_found` and `forbidden`. */
export async function purge<Content extends object, Stored extends StoredRecord>(
  { database, clock }: Dependencies,
  actor: Actor,
  kind: RecordKind<Content, Stored>,
  id: string,
): Promise<void> {
  await database.write(async (transaction) => {
    const input = { id, needed: 'manage', place: 'in the trash' } as const;
    const record = await requireRecordToChange(transaction, actor, kind, input);
    await kind.onPurge?.(transaction, record);
    await kind.store.delete(transaction, id);
    await recordChange(transaction, clock, actor, { kind: kind.name, action: 'purged', record });
  });
}

/** Permanently deletes records that have been in the trash for 30 days, a few at a time. Replicas may do so at the same time. */
export async function purgeOld(
  { database, clock }: Dependencies,
  { name: kind, store, onPurge }: Pick<RecordKind<object, StoredRecord>, 'name' | 'store' | 'onPurge'>,
  stopped: Pick<AbortSignal, 'aborted'>,
): Promise<void> {
  const before = timestamp(clock() - daysMs(restorableDays));
  let purged: number;
  do {
    purged = await database.write(async (transaction) => {
      const records = await store.lockOld(transaction, { before, limit: purgedPerTransaction });
      for (const record of records) {
        await onPurge?.(transaction, record);
        await store.delete(transaction, record.id);
        await recordChange(transaction, clock, undefined, { kind, action: 'purged', record });
      }
      return records.length;
    });
  } while (purged === purgedPerTransaction && !stopped.aborted);
}

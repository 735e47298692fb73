import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { requirePermission } from '../organizations/authorization.ts';
import type { StoredRecord } from '../records/record.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const names = prepare((db, p: { organizationId: string; ids: readonly string[] }) =>
  db
    .selectFrom('reports')
    .select(['id', 'name'])
    .where('id', 'in', p.ids)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is', null),
);

/** Returns the names of the reports of an organization with these IDs, in the order of the IDs; reports in the trash are left out. */
export async function findReportNames(
  reader: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await reader.all(names, { organizationId, ids });
  const nameById = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => nameById.get(id) ?? []);
}

const addTombstone = prepare((db, p: { id: string; organizationId: string; name: string }) =>
  db
    .insertInto('report_tombstones')
    .values({ id: p.id, organization_id: p.organizationId, name: p.name })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

/** Stores the name of a report that is being deleted permanently, for the widgets that show it. */
export const insertTombstone = (
  transaction: Transaction,
  report: Pick<StoredRecord, 'id' | 'organizationId' | 'name'>,
): Promise<number> =>
  transaction.run(addTombstone, {
    id: report.id,
    organizationId: report.organizationId ?? '',
    name: report.name,
  });

const deletedName = prepare((db, p: { id: string }) =>
  db
    .selectFrom('reports')
    .select(['name', 'organization_id as organizationId'])
    .where('id', '=', p.id)
    .where('deleted_at', 'is not', null),
);

const tombstone = prepare((db, p: { id: string }) =>
  db
    .selectFrom('report_tombstones')
    .select(['name', 'organization_id as organizationId'])
    .where('id', '=', p.id),
);

/**
 * Returns the name of a report that is in the trash or was deleted permanently, for members of its organization; or
 * undefined.
 */
export async function findDeletedReportName(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<string | undefined> {
  const deleted = (await reader.first(deletedName, { id })) ?? (await reader.first(tombstone, { id }));
  if (deleted === undefined) return undefined;
  try {
    await requirePermission(reader, actor, deleted.organizationId, 'report.view');
    return deleted.name;
  } catch (error) {
    if (error instanceof AtriumError) return undefined;
    throw error;
  }
}

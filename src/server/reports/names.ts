import { sql } from 'kysely';
import { mayOnRecordOfMember, restrictionOf } from '../access/filter.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { requirePermission } from '../organizations/authorization.ts';
import { mayOnRowOfMember, roleIn } from '../organizations/permission-filter.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const names = prepare((db, p: { organizationId: string; ids: readonly string[] }) =>
  db
    .selectFrom('reports')
    .select(['id', 'name'])
    .where('id', 'in', p.ids)
    .where('organization_id', '=', p.organizationId)
    .where((where) => where(restrictionOf('report'), '=', sql.lit(0)))
    .where('deleted_at', 'is', null),
);

/**
 * Returns the names of the reports of an organization with these IDs that every member may see, in the order of the IDs; reports
 * in the trash are left out.
 */
export async function findPublicReportNames(
  reader: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await reader.all(names, { organizationId, ids });
  const nameById = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => nameById.get(id) ?? []);
}

/** Whether a report, or a folder that it is in, is restricted. */
const restrictionOrHidden = sql<number>`coalesce(${restrictionOf('report')}, 1)`;

/** Copies the columns, since the maintenance job that purges old reports has read only some of them. */
const addTombstone = prepare((db, p: { id: string }) =>
  db
    .insertInto('report_tombstones')
    .columns(['id', 'organization_id', 'name', 'restricted'])
    .expression((from) =>
      from
        .selectFrom('reports')
        .select(['id', 'organization_id', 'name', restrictionOrHidden.as('restricted')])
        .where('id', '=', p.id),
    )
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

/** Stores the name of a report that is being deleted permanently, for the widgets that show it. */
export const insertTombstone = (transaction: Transaction, { id }: { readonly id: string }): Promise<number> =>
  transaction.run(addTombstone, { id });

const deletedName = prepare((db, p: { id: string; userId: string }) =>
  db
    .selectFrom('reports')
    .select(['name', 'organization_id as organizationId'])
    .where('id', '=', p.id)
    .where('deleted_at', 'is not', null)
    .where(mayOnRecordOfMember('report', 'report.view', p.userId)),
);

const tombstone = prepare((db, p: { id: string; userId: string }) =>
  db
    .selectFrom('report_tombstones as gone')
    .select(['gone.name', 'gone.organization_id as organizationId'])
    .where('gone.id', '=', p.id)
    .where((where) =>
      mayOnRowOfMember('report.view', {
        userId: p.userId,
        organizationId: where.ref('gone.organization_id'),
        restricted: where.ref('gone.restricted'),
        role: roleIn(where.ref('gone.organization_id'), p.userId),
        // The owner and the shares were deleted with the report.
        ownerId: sql.lit(''),
        share: sql.lit(null),
      }),
    ),
);

/**
 * Returns the name of a report that is in the trash or was deleted permanently, for members of its organization who could see
 * it; or undefined. After it was deleted permanently, only admins see the name of a restricted one.
 */
export async function findDeletedReportName(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<string | undefined> {
  const { userId } = actor;
  const deleted =
    (await reader.first(deletedName, { id, userId })) ?? (await reader.first(tombstone, { id, userId }));
  if (deleted === undefined) return undefined;
  try {
    await requirePermission(reader, actor, deleted.organizationId, 'organization.view');
    return deleted.name;
  } catch (error) {
    if (error instanceof AtriumError) return undefined;
    throw error;
  }
}

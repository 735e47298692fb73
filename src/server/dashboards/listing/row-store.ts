import { sql } from 'kysely';
import type { Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { visibleFolder } from '../../access/folders-around.ts';
import { mayOnRecordOfMember } from '../../access/filter.ts';
import type { SummaryRow } from '../store.ts';

/** A dashboard as a list shows it. */
export interface ListedDashboard extends SummaryRow {
  /** The size of the name and description; if it is more than `wholeBytes`, both may be cut off. */
  readonly sizeBytes: number;
  /** Null if it isn't starred. */
  readonly starredAt: string | null;
  /** Null if it is in none, or in one that the reader may not see. */
  readonly folderId: string | null;
}

/** Larger names and descriptions aren't read together with those of many other dashboards. */
export const wholeBytes = 8 * 1024;

const listed = prepare((db, p: { ids: readonly string[]; userId: string }) =>
  db
    .selectFrom('dashboards')
    .leftJoin('dashboard_stars', (join) =>
      join
        .onRef('dashboard_stars.dashboard_id', '=', 'dashboards.id')
        .on('dashboard_stars.user_id', '=', p.userId),
    )
    .select([
      'dashboards.id',
      'dashboards.user_id as userId',
      'dashboards.organization_id as organizationId',
      'dashboards.created_at as createdAt',
      'dashboards.updated_at as updatedAt',
      sql<number>`octet_length(dashboards.name) + coalesce(octet_length(dashboards.description), 0)`.as(
        'sizeBytes',
      ),
      sql<string>`substr(dashboards.name, 1, ${sql.lit(wholeBytes)})`.as('name'),
      sql<string | null>`substr(dashboards.description, 1, ${sql.lit(wholeBytes)})`.as('description'),
      'dashboard_stars.starred_at as starredAt',
      visibleFolder('dashboard', p.userId),
    ])
    .where('dashboards.id', 'in', p.ids)
    .where('dashboards.deleted_at', 'is', null)
    .where(mayOnRecordOfMember('dashboard', 'dashboard.view', p.userId)),
);

/**
 * Returns the dashboards with these IDs that exist and that a user may see, by ID. The caller makes sure that they are the
 * user's own, or that the user is a member of their organization.
 */
export async function findListed(
  reader: Reader,
  ids: readonly string[],
  userId: string,
): Promise<Map<string, ListedDashboard>> {
  const rows = await reader.all(listed, { ids, userId });
  return new Map(rows.map((row) => [row.id, row]));
}

const nameAndDescription = prepare((db, p: { id: string }) =>
  db.selectFrom('dashboards').select(['name', 'description']).where('id', '=', p.id),
);

/** Returns the whole name and description of a dashboard, or undefined if it no longer exists. */
export const findNameAndDescription = (
  reader: Reader,
  id: string,
): Promise<{ name: string; description: string | null } | undefined> =>
  reader.first(nameAndDescription, { id });

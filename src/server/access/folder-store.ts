import { expressionBuilder, sql, type AliasedExpression } from 'kysely';
import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import { mayOnRecordOfMember } from './filter.ts';
import { recordTables } from './kinds.ts';

/** A folder that a record is in, directly or not. */
export interface FolderAround {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly ownerId: string;
  readonly isRestricted: boolean;
  /** Whether the reader may see it. */
  readonly isVisible: boolean;
}

const around = prepare((db, p: { folderId: string; userId: string }) =>
  db
    .selectFrom('folder_paths')
    .innerJoin('folders', 'folders.id', 'folder_paths.ancestor_id')
    .select([
      'folders.id',
      'folders.name',
      'folders.organization_id as organizationId',
      'folders.user_id as ownerId',
      'folders.restricted',
      sql<number>`case when ${mayOnRecordOfMember('folder', 'folder.view', p.userId)} then 1 else 0 end`.as(
        'visible',
      ),
    ])
    .where('folder_paths.folder_id', '=', p.folderId)
    .orderBy('folder_paths.distance'),
);

/** Selects the folder of a dashboard or a report, or null if it is in none, or in one that the member may not see. */
export function visibleFolder(
  kind: 'dashboard' | 'report',
  userId: string,
): AliasedExpression<string | null, 'folderId'> {
  // Sound because both tables have the column.
  const folderId = sql.ref<string | null>(`${recordTables[kind]}.folder_id`);
  const visible = expressionBuilder<Tables>()
    .selectFrom('folders')
    .select('folders.id')
    .where('folders.id', '=', folderId)
    .where(mayOnRecordOfMember('folder', 'folder.view', userId));
  return sql<string | null>`case when ${folderId} is not null then ${visible} end`.as('folderId');
}

/** Returns a folder and the folders around it, the innermost first, with whether a member may see each. */
export async function selectFoldersAround(
  reader: Reader,
  key: { readonly folderId: string; readonly userId: string },
): Promise<FolderAround[]> {
  const rows = await reader.all(around, key);
  return rows.map(({ restricted, visible, ...row }) => ({
    ...row,
    isRestricted: restricted === 1,
    isVisible: visible === 1,
  }));
}

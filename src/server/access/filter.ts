import { expressionBuilder, sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Action } from '#shared/permissions.ts';
import {
  mayOnRow,
  mayOnRowOfMember,
  roleIn,
  type StandingColumns,
} from '../organizations/permission-filter.ts';
import type { Tables } from '../storage/tables.ts';
import { recordTables, type SharedKind } from './kinds.ts';

type UserId = string | Expression<string>;

/** Returns the columns of a kind of record that decide, with the role and the share of a user, what the user may do with it. */
function recordColumns(kind: SharedKind) {
  // Sound because all of these tables have the columns that this file uses.
  const table = recordTables[kind] as 'dashboards';
  const eb = expressionBuilder<Tables, 'dashboards'>();
  const id = eb.ref(`${table}.id`);
  return {
    id,
    organizationId: eb.ref(`${table}.organization_id`),
    ownerId: eb.ref(`${table}.user_id`),
    restricted: eb.ref(`${table}.restricted`),
    folderId: folderOf(kind, id),
  };
}

/** Returns the folder whose restriction and shares apply to a record, which for a folder is itself; undefined if there are none. */
function folderOf(kind: SharedKind, id: Expression<string>): Expression<string | null> | undefined {
  if (kind === 'data_source') return undefined;
  if (kind === 'folder') return id;
  // Sound because the tables of dashboards and reports both have the column.
  const table = recordTables[kind] as 'dashboards';
  return expressionBuilder<Tables, 'dashboards'>().ref(`${table}.folder_id`);
}

/** Returns whether a record is restricted by itself or by a folder that it is in, 1 or 0; null if its folder doesn't exist. */
export function restrictionOf(kind: SharedKind): Expression<number> {
  const { restricted, folderId } = recordColumns(kind);
  if (folderId === undefined) return restricted;
  if (kind === 'folder') return expressionBuilder<Tables, 'folders'>().ref('folders.restricted_path');
  const ofFolder = expressionBuilder<Tables>()
    .selectFrom('folders as around')
    .select('around.restricted_path')
    .where('around.id', '=', folderId);
  // Most records are in no folder, and then nothing is looked up.
  return sql<number>`case when ${folderId} is null or ${restricted} = 1 then ${restricted} else ${ofFolder} end`;
}

/** Returns the condition that a share is with a user, by name or through a group. */
const isWith =
  (userId: UserId) =>
  ({ or, and, eb, exists, ref }: ExpressionBuilder<{ own: Tables['shares'] }, 'own'>) =>
    or([
      and([eb('own.grantee_kind', '=', sql.lit('user')), eb('own.grantee_id', '=', userId)]),
      and([
        eb('own.grantee_kind', '=', sql.lit('group')),
        exists(
          expressionBuilder<Tables>()
            .selectFrom('member_groups as held')
            .select(sql.lit(1).as('one'))
            .where('held.organization_id', '=', ref('own.organization_id'))
            .where('held.user_id', '=', userId)
            .where('held.group_id', '=', ref('own.grantee_id')),
        ),
      ]),
    ]);

/**
 * Returns the most access that is granted to a user by shares of a record and of the folders that it is in, or as the owner of its
 * folder; or null. It is a subquery.
 */
function shareOf(
  kind: SharedKind,
  userId: UserId,
  role: Expression<string | null>,
): Expression<string | null> {
  const { id, folderId } = recordColumns(kind);
  const eb = expressionBuilder<Tables>();
  const ofRecord = eb
    .selectFrom('shares as own')
    .select('own.access')
    .where('own.record_id', '=', id)
    .where(isWith(userId));
  // The order of the alphabet happens to be that of `shareLevels`.
  if (folderId === undefined)
    return eb
      .selectFrom(ofRecord.as('granted'))
      .select(({ fn }) => fn.min('granted.access').as('access'))
      .$asScalar();
  const ofFolders = eb
    .selectFrom('folder_paths as path')
    .innerJoin('shares as own', 'own.record_id', 'path.ancestor_id')
    .select('own.access')
    .where('path.folder_id', '=', folderId)
    .where(isWith(userId));
  // A viewer doesn't edit, not even as the owner.
  const ofOwner = eb
    .selectFrom('folders as around')
    .select(sql<string>`case when ${role} = 'viewer' then 'view' else 'edit' end`.as('access'))
    .where('around.id', '=', folderId)
    .where('around.user_id', '=', userId);
  const granted = kind === 'folder' ? ofFolders : ofRecord.unionAll(ofFolders).unionAll(ofOwner);
  return eb
    .selectFrom(granted.as('granted'))
    .select(({ fn }) => fn.min('granted.access').as('access'))
    .$asScalar();
}

/** Returns the condition that a user may take an action on a record; the rows of the user in `members` are joined. */
export function mayOnRecord(kind: SharedKind, action: Action, userId: UserId): Expression<SqlBool> {
  const role = expressionBuilder<Tables, 'members'>().ref('members.role');
  return mayOnRow(action, standingOf(kind, userId, role));
}

/**
 * Returns the condition that a member may take an action on a record of the organization. It joins nothing, so that a list
 * reads the member's role and share only where they decide.
 */
export const mayOnRecordOfMember = (kind: SharedKind, action: Action, userId: UserId): Expression<SqlBool> =>
  mayOnRowOfMember(action, standingOf(kind, userId, roleIn(recordColumns(kind).organizationId, userId)));

function standingOf(kind: SharedKind, userId: UserId, role: Expression<string | null>): StandingColumns {
  const { organizationId, ownerId } = recordColumns(kind);
  const restricted = restrictionOf(kind);
  return { userId, organizationId, ownerId, restricted, role, share: shareOf(kind, userId, role) };
}

/** Selects whether a record is restricted by itself, and whether it is at all, 1 or 0, and what is shared with a user. */
export const accessColumns = (kind: SharedKind, userId: UserId) =>
  [
    sql<number>`${recordColumns(kind).restricted}`.as('restricted'),
    sql<number | null>`${restrictionOf(kind)}`.as('hidden'),
    sql<string | null>`${shareOf(kind, userId, roleIn(recordColumns(kind).organizationId, userId))}`.as(
      'share',
    ),
  ] as const;

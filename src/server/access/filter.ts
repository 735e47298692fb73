import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
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
  return {
    id: eb.ref(`${table}.id`),
    organizationId: eb.ref(`${table}.organization_id`),
    ownerId: eb.ref(`${table}.user_id`),
    restricted: eb.ref(`${table}.restricted`),
  };
}

/** Returns the most access that shares of a record grant to a user, by name or through a group, or null, as a subquery. */
function shareOf(kind: SharedKind, userId: UserId): Expression<string | null> {
  const { id } = recordColumns(kind);
  return (
    expressionBuilder<Tables>()
      .selectFrom('shares as own')
      // The order of the alphabet happens to be that of `shareLevels`.
      .select(({ fn }) => fn.min('own.access').as('access'))
      .where('own.record_id', '=', id)
      .where(({ or, and, eb, exists, selectFrom, ref }) =>
        or([
          and([eb('own.grantee_kind', '=', sql.lit('user')), eb('own.grantee_id', '=', userId)]),
          and([
            eb('own.grantee_kind', '=', sql.lit('group')),
            exists(
              selectFrom('member_groups as held')
                .select(sql.lit(1).as('one'))
                .where('held.organization_id', '=', ref('own.organization_id'))
                .where('held.user_id', '=', userId)
                .where('held.group_id', '=', ref('own.grantee_id')),
            ),
          ]),
        ]),
      )
      .$asScalar()
  );
}

/** Returns the condition that a user may take an action on a record; the rows of the user in `members` are joined. */
export const mayOnRecord = (kind: SharedKind, action: Action, userId: UserId): Expression<SqlBool> =>
  mayOnRow(action, {
    ...standingOf(kind, userId),
    role: expressionBuilder<Tables, 'members'>().ref('members.role'),
  });

/**
 * Returns the condition that a member may take an action on a record of the organization. It joins nothing, so that a list
 * reads the member's role and share only where they decide.
 */
export const mayOnRecordOfMember = (kind: SharedKind, action: Action, userId: UserId): Expression<SqlBool> =>
  mayOnRowOfMember(action, standingOf(kind, userId));

function standingOf(kind: SharedKind, userId: UserId): StandingColumns {
  const { organizationId, ownerId, restricted } = recordColumns(kind);
  const role = roleIn(organizationId, userId);
  return { userId, organizationId, ownerId, restricted, role, share: shareOf(kind, userId) };
}

/** Selects whether a record is restricted, 1 or 0, and what is shared with a user. */
export const accessColumns = (kind: SharedKind, userId: UserId) =>
  [
    sql<number>`${recordColumns(kind).restricted}`.as('restricted'),
    sql<string | null>`${shareOf(kind, userId)}`.as('share'),
  ] as const;

import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
import {
  permissions,
  roles,
  type Action,
  type Grant,
  type Relation,
  type Role,
} from '#shared/permissions.ts';
import type { Tables } from '../storage/tables.ts';

/** The columns of a query that correspond to `Standing`: the relation of a user to a record. */
export interface StandingColumns {
  readonly userId: string | Expression<string>;
  /** Null for a personal record. */
  readonly organizationId: Expression<string | null>;
  readonly ownerId: Expression<string>;
  readonly restricted: Expression<number>;
  /** The user's role in the organization; null if the user is not a member. */
  readonly role: Expression<string | null>;
  readonly share: Expression<string | null>;
}

const eb = expressionBuilder<Tables>();

/** Returns the user's role in the organization of a row, as a subquery. */
export const roleIn = (
  organizationId: Expression<string | null>,
  userId: string | Expression<string>,
): Expression<string | null> =>
  eb
    .selectFrom('members as reader')
    .select('reader.role')
    .where('reader.organization_id', '=', organizationId)
    .where('reader.user_id', '=', userId)
    .$asScalar();

/** Returns, as a condition on the rows of a query, whether the user may take an action on a record: see `mayOn`. */
export const mayOnRow = (action: Action, columns: StandingColumns): Expression<SqlBool> =>
  eb.or([
    eb.and([eb(columns.role, 'is not', null), mayOnRowOfMember(action, columns)]),
    eb.and([eb(columns.organizationId, 'is', null), eb(columns.ownerId, '=', columns.userId)]),
  ]);

/**
 * Like `mayOnRow`, for rows of organizations that the user is known to be a member of. It reads `share` and `role` last
 * and only if they decide, since they may be subqueries.
 */
export function mayOnRowOfMember(action: Action, columns: StandingColumns): Expression<SqlBool> {
  const { userId, ownerId, restricted, role, share } = columns;
  const conditions: Readonly<Record<Relation, Expression<SqlBool>>> = {
    member: eb(restricted, '=', sql.lit(0)),
    owner: eb(ownerId, '=', userId),
    editor: eb(share, '=', sql.lit('edit')),
    user: eb(share, '=', sql.lit('use')),
    viewer: eb(share, '=', sql.lit('view')),
  };
  const always = rolesThat(action, (grant) => grant === 'always');
  if (always.length === roles.length) return sql<boolean>`true`;
  // Sound because the conditions are by relation.
  const allowed = (Object.keys(conditions) as Relation[]).flatMap((relation) => {
    const granting = rolesThat(action, (grant) => grant !== 'always' && grant.includes(relation));
    if (granting.length === 0) return [];
    return always.length + granting.length === roles.length
      ? [conditions[relation]]
      : [eb.and([conditions[relation], isOneOf(role, granting)])];
  });
  return eb.or([...allowed, ...(always.length > 0 ? [isOneOf(role, always)] : [])]);
}

/** Constants rather than bound values, because they are the same for every request. */
const isOneOf = (role: Expression<string | null>, allowed: readonly Role[]): Expression<SqlBool> =>
  eb(
    role,
    'in',
    allowed.map((each) => sql.lit(each)),
  );

const rolesThat = (action: Action, has: (grant: Grant) => boolean): Role[] =>
  roles.filter((role) => has(permissions[action][role]));

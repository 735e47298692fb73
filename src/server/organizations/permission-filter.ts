import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
import {
  permissions,
  roles,
  type Action,
  type Grant,
  type Relation,
  type Role,
  type ShareLevel,
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
  const always = rolesThat(action, (grant) => grant === 'always');
  if (always.length === roles.length) return sql<boolean>`true`;
  /** Returns the condition, if any of the other roles grants the action to who fulfils it. */
  const grantedTo = (relation: Relation, condition: Expression<SqlBool>): Expression<SqlBool>[] => {
    const granting = grantingTo(action, relation);
    if (granting.length === 0) return [];
    const isAny = always.length + granting.length === roles.length;
    return [isAny ? condition : eb.and([condition, isOneOf(role, granting)])];
  };
  return eb.or([
    ...grantedTo('member', eb(restricted, '=', sql.lit(0))),
    ...grantedTo('owner', eb(ownerId, '=', userId)),
    // One subquery for all levels with which the same roles grant it.
    ...alikeShares(action).flatMap(([first, ...others]) =>
      grantedTo(first, isOneOf(share, [levels[first], ...others.map((other) => levels[other])])),
    ),
    ...(always.length > 0 ? [isOneOf(role, always)] : []),
  ]);
}

const levels = { editor: 'edit', user: 'use', viewer: 'view' } as const satisfies Partial<
  Record<Relation, ShareLevel>
>;
type Shared = keyof typeof levels;

/** Returns the relations by a share, those together with which the same roles grant an action. */
function alikeShares(action: Action): [Shared, ...Shared[]][] {
  const groups = new Map<string, [Shared, ...Shared[]]>();
  for (const relation of ['editor', 'user', 'viewer'] as const) {
    const key = grantingTo(action, relation).join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [relation]);
    else group.push(relation);
  }
  return [...groups.values()];
}

const grantingTo = (action: Action, relation: Relation): Role[] =>
  rolesThat(action, (grant) => grant !== 'always' && grant.includes(relation));

/** Constants rather than bound values, because they are the same for every request. */
const isOneOf = (
  column: Expression<string | null>,
  allowed: readonly (Role | ShareLevel)[],
): Expression<SqlBool> =>
  eb(
    column,
    'in',
    allowed.map((each) => sql.lit(each)),
  );

const rolesThat = (action: Action, has: (grant: Grant) => boolean): Role[] =>
  roles.filter((role) => has(permissions[action][role]));

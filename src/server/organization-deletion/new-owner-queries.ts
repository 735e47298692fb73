import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** An account, and what a deleted organization knows about it. */
export interface Candidate {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
  /** 1 or 0: whether it was a member when the organization was deleted. */
  readonly wasMember: number;
  /** 1 or 0: whether the organization or its directory has suspended it. */
  readonly isSuspended: number;
}

const candidate = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .selectFrom('users')
    .select(({ exists, or, selectFrom, cast, case: when }) => {
      const rowsIn = (table: 'deleted_members' | 'suspended_members') =>
        selectFrom(table)
          .select('user_id')
          .whereRef('user_id', '=', 'users.id')
          .where('organization_id', '=', p.organizationId);
      const deactivated = selectFrom('scim_users')
        .select('user_id')
        .whereRef('user_id', '=', 'users.id')
        .where('organization_id', '=', p.organizationId)
        .where('active', '=', 0);
      return [
        'users.id',
        'users.email',
        'users.created_at as createdAt',
        cast<number>(
          when()
            .when(exists(rowsIn('deleted_members')))
            .then(1)
            .else(0)
            .end(),
          'integer',
        ).as('wasMember'),
        cast<number>(
          when()
            .when(or([exists(rowsIn('suspended_members')), exists(deactivated)]))
            .then(1)
            .else(0)
            .end(),
          'integer',
        ).as('isSuspended'),
      ];
    })
    .where('users.id', '=', p.userId),
);

/** Returns an account that could become an owner of a deleted organization, or undefined. */
export const findCandidate = (
  reader: Reader,
  organizationId: string,
  userId: string,
): Promise<Candidate | undefined> => reader.first(candidate, { organizationId, userId });

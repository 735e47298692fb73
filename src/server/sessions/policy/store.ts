import type { AuthenticationPolicy } from '#contract/organizations/authentication-policy.ts';
import type { SessionPolicy } from '#contract/organizations/session-policy.ts';
import { readAddresses } from '../../organizations/networks/networks.ts';
import { lacksSecondFactor } from '../../organizations/second-factors/requirement.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';

interface Row {
  organizationId: string;
  idleMinutes: number | null;
  absoluteHours: number | null;
  maxSessions: number | null;
  addresses: string;
}

/** The policy of one of the organizations in which a session is used. */
export interface PolicyOfOrganization extends SessionPolicy {
  readonly organizationId: string;
  readonly addresses: string[];
}

/** A policy as it concerns one of the members. */
export interface PolicyOfMember extends PolicyOfOrganization {
  /** Whether it requires a second factor that the account of the member doesn't have. */
  readonly lacksSecondFactor: boolean;
}

const toPolicy = ({ organizationId, idleMinutes, absoluteHours, maxSessions, addresses }: Row) => ({
  organizationId,
  ...(idleMinutes !== null && { idleMinutes }),
  ...(absoluteHours !== null && { absoluteHours }),
  ...(maxSessions !== null && { maxSessions }),
  addresses: readAddresses(addresses),
});

const select = (sql: Sql) =>
  sql
    .selectFrom('session_policies')
    .select([
      'session_policies.organization_id as organizationId',
      'session_policies.idle_minutes as idleMinutes',
      'session_policies.absolute_hours as absoluteHours',
      'session_policies.max_sessions as maxSessions',
      'session_policies.addresses',
    ]);

const one = prepare((sql, p: { organizationId: string }) =>
  select(sql).where('session_policies.organization_id', '=', p.organizationId),
);

/** Returns the policy of an organization, or undefined if it has none. */
export async function findSessionPolicy(
  reader: Reader,
  organizationId: string,
): Promise<PolicyOfOrganization | undefined> {
  const row = await reader.first(one, { organizationId });
  return row && toPolicy(row);
}

const ofUser = prepare((sql, p: { userId: string }) =>
  select(sql)
    .innerJoin('members', 'members.organization_id', 'session_policies.organization_id')
    .select(lacksSecondFactor.as('lacksSecondFactor'))
    .where('members.user_id', '=', p.userId),
);

/** Returns the policies of the organizations that a user is a member of. */
export const selectPoliciesOfUser = async (reader: Reader, userId: string): Promise<PolicyOfMember[]> =>
  (await reader.all(ofUser, { userId })).map((row) => ({
    ...toPolicy(row),
    lacksSecondFactor: row.lacksSecondFactor === 1,
  }));

const upsert = prepare((sql, p: Row) => {
  const replaced = {
    idle_minutes: p.idleMinutes,
    absolute_hours: p.absoluteHours,
    max_sessions: p.maxSessions,
    addresses: p.addresses,
  };
  return sql
    .insertInto('session_policies')
    .values({ organization_id: p.organizationId, ...replaced })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(replaced));
});

export const upsertSessionPolicy = (
  transaction: Transaction,
  organizationId: string,
  { idleMinutes, absoluteHours, maxSessions, addresses = [] }: SessionPolicy,
): Promise<number> =>
  transaction.run(upsert, {
    organizationId,
    idleMinutes: idleMinutes ?? null,
    absoluteHours: absoluteHours ?? null,
    maxSessions: maxSessions ?? null,
    addresses: JSON.stringify(addresses),
  });

const authentication = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('session_policies')
    .select(['second_factor as secondFactor', 'confirm_sso_changes as confirmSsoChanges'])
    .where('organization_id', '=', p.organizationId),
);

export async function findAuthenticationPolicy(
  reader: Reader,
  organizationId: string,
): Promise<AuthenticationPolicy> {
  const row = await reader.first(authentication, { organizationId });
  return {
    // Sound because the column only ever holds one of the contract's values.
    secondFactor: (row?.secondFactor ?? 'off') as AuthenticationPolicy['secondFactor'],
    confirmSsoChanges: row?.confirmSsoChanges === 1,
  };
}

interface AuthenticationRow {
  organizationId: string;
  secondFactor: string;
  confirmSsoChanges: number;
}

const upsertAuthentication = prepare((sql, p: AuthenticationRow) => {
  const replaced = { second_factor: p.secondFactor, confirm_sso_changes: p.confirmSsoChanges };
  return sql
    .insertInto('session_policies')
    .values({ organization_id: p.organizationId, addresses: '[]', ...replaced })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(replaced));
});

export const upsertAuthenticationPolicy = (
  transaction: Transaction,
  organizationId: string,
  { secondFactor, confirmSsoChanges }: AuthenticationPolicy,
): Promise<number> =>
  transaction.run(upsertAuthentication, {
    organizationId,
    secondFactor,
    confirmSsoChanges: confirmSsoChanges ? 1 : 0,
  });

const removeAddresses = prepare((sql, p: { organizationId: string }) =>
  sql
    .updateTable('session_policies')
    .set({ addresses: '[]' })
    .where('organization_id', '=', p.organizationId)
    .where('addresses', '<>', '[]'),
);

/** Allows any address again. Returns whether there was a restriction. */
export const deleteAllowedAddresses = async (
  transaction: Transaction,
  organizationId: string,
): Promise<boolean> => (await transaction.run(removeAddresses, { organizationId })) === 1;

interface Surplus {
  organizationId: string;
  maxSessions: number;
  /** Sessions that were not used since then have ended. */
  usedSince: string;
  /** So have those that were created before. */
  createdSince: string;
  /** A session that counts as the newest; empty for none. */
  exceptId: string;
}

interface Newer {
  readonly organizationId: string;
  readonly userId: string;
  readonly id: string;
  readonly usedSince: string;
  readonly createdSince: string;
  readonly limit: number;
}

const newer = prepare((sql, p: Newer) =>
  sql
    .selectFrom(
      sql
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', p.userId)
        .where('id', '>', p.id)
        .where(({ eb, or }) =>
          or([eb('organization_id', 'is', null), eb('organization_id', '=', p.organizationId)]),
        )
        .where('last_used_at', '>', p.usedSince)
        .where('created_at', '>', p.createdSince)
        .limit(p.limit)
        .as('newer'),
    )
    .select((select) => select.fn.countAll().as('count')),
);

/** Returns in how many open sessions, newer than one of the user, the organization can be used, counting up to `limit`. */
export const countNewerSessions = async (reader: Reader, of: Newer): Promise<number> =>
  Number((await reader.first(newer, of))?.count);

/** The open sessions in which members use an organization, beyond the newest of each; only those that open nothing else. */
const surplus = (sql: Sql, p: Surplus, userId?: string) =>
  sql
    .selectFrom(
      sql
        .selectFrom('sessions')
        .innerJoin('members', 'members.user_id', 'sessions.user_id')
        .select(({ fn }) => [
          'sessions.id',
          'sessions.organization_id as organizationId',
          fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('sessions.user_id')
                .orderBy(({ eb }) => eb.case().when('sessions.id', '=', p.exceptId).then(0).else(1).end())
                .orderBy('sessions.id', 'desc'),
            )
            .as('position'),
        ])
        .where('members.organization_id', '=', p.organizationId)
        .$if(userId !== undefined, (query) => query.where('members.user_id', '=', userId ?? ''))
        .where(({ eb, or }) =>
          or([
            eb('sessions.organization_id', 'is', null),
            eb('sessions.organization_id', '=', p.organizationId),
          ]),
        )
        .where('sessions.last_used_at', '>', p.usedSince)
        .where('sessions.created_at', '>', p.createdSince)
        .as('numbered'),
    )
    .select('numbered.id')
    .where('numbered.organizationId', 'is not', null)
    .where('numbered.position', '>', p.maxSessions);

const surplusOfAll = prepare((sql, p: Surplus) => surplus(sql, p));
const surplusOfUser = prepare((sql, p: Surplus & { userId: string }) => surplus(sql, p, p.userId));

/** Returns the IDs of the open sessions that are too many: of a user, or of all members. */
export async function selectSurplusSessions(reader: Reader, of: Surplus, userId?: string): Promise<string[]> {
  const rows =
    userId === undefined
      ? await reader.all(surplusOfAll, of)
      : await reader.all(surplusOfUser, { ...of, userId });
  return rows.map(({ id }) => id);
}

import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A client secret whose expiry is stored, and what is known about its directory. */
export interface ExpiringSecret {
  readonly organizationId: string;
  /** Empty for the first directory. */
  readonly configurationId: string;
  readonly organizationName: string;
  /** Empty for the first directory. */
  readonly directoryName: string;
  readonly expiresAt: string | null;
  /** Which notice was sent before. */
  readonly noticed: string | null;
}

const expiring = prepare((sql) =>
  sql
    .selectFrom('sso_policies')
    .innerJoin('organizations', 'organizations.id', 'sso_policies.organization_id')
    .innerJoin('sso_configurations', (join) =>
      join
        .onRef('sso_configurations.organization_id', '=', 'sso_policies.organization_id')
        .on(({ or, and, eb, ref }) =>
          or([
            eb('sso_configurations.id', '=', ref('sso_policies.configuration_id')),
            and([eb('sso_policies.configuration_id', '=', ''), eb('sso_configurations.is_first', '=', 1)]),
          ]),
        ),
    )
    .select([
      'sso_policies.organization_id as organizationId',
      'sso_policies.configuration_id as configurationId',
      'organizations.name as organizationName',
      'sso_configurations.name as directoryName',
      'secret_expires_at as expiresAt',
      'secret_noticed as noticed',
    ])
    .where('secret_expires_at', 'is not', null)
    .where('sso_configurations.enabled', '=', 1)
    .where('sso_configurations.client_secret', 'is not', null)
    .orderBy('sso_policies.organization_id')
    .orderBy('sso_policies.configuration_id'),
);

/** Returns the client secrets in use whose expiry is stored, by organization. */
export const selectExpiringSecrets = (reader: Reader): Promise<ExpiringSecret[]> => reader.all(expiring, {});

interface Notice {
  readonly organizationId: string;
  readonly configurationId: string;
  readonly before: string | null;
  readonly noticed: string | null;
}

const replace = prepare((sql, p: Omit<Notice, 'before'> & { before: string | undefined }) => {
  const policy = sql
    .updateTable('sso_policies')
    .set({ secret_noticed: p.noticed })
    .where('organization_id', '=', p.organizationId)
    .where('configuration_id', '=', p.configurationId);
  return p.before === undefined
    ? policy.where('secret_noticed', 'is', null)
    : policy.where('secret_noticed', '=', p.before);
});

/** Stores which notice is sent; returns false if another process has stored one since. */
export const replaceNotice = async (
  transaction: Transaction,
  { before, ...notice }: Notice,
): Promise<boolean> => (await transaction.run(replace, { ...notice, before: before ?? undefined })) === 1;

const owners = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.organization_id', '=', p.organizationId)
    .where('members.role', '=', 'owner')
    // What an organization has isn't sent to an address that nobody has confirmed.
    .where('users.is_email_verified', '=', 1)
    .where('users.disabled_at', 'is', null)
    .orderBy('users.email'),
);

/** Returns the addresses of the owners of an organization. */
export const selectOwners = async (reader: Reader, organizationId: string): Promise<string[]> =>
  (await reader.all(owners, { organizationId })).map(({ email }) => email);

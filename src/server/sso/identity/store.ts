import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** Identifies a person at an identity provider: never by email address, which can pass to another person. */
export interface IdentityKey {
  readonly configurationId: string;
  readonly issuer: string;
  /** `oid` of Entra, `sub` of AD FS. */
  readonly subject: string;
}

const byKey = prepare((sql, p: IdentityKey) =>
  sql
    .selectFrom('sso_identities')
    .select('user_id as userId')
    .where('configuration_id', '=', p.configurationId)
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
);

/** Returns the user that an identity belongs to, or undefined. */
export async function findIdentityUser(reader: Reader, key: IdentityKey): Promise<string | undefined> {
  return (await reader.first(byKey, key))?.userId;
}

const ofUser = prepare((sql, p: { configurationId: string; userId: string }) =>
  sql
    .selectFrom('sso_identities')
    .select('subject')
    .where('user_id', '=', p.userId)
    .where('configuration_id', '=', p.configurationId)
    .limit(1),
);

/** Whether a user already has an identity of a configuration. */
export const hasIdentity = async (
  reader: Reader,
  configurationId: string,
  userId: string,
): Promise<boolean> => (await reader.first(ofUser, { configurationId, userId })) !== undefined;

interface NewIdentity extends IdentityKey {
  readonly organizationId: string;
  readonly userId: string;
  readonly at: string;
  /** Whether it continues the account of a former provider. */
  readonly isMoved: boolean;
}

const insert = prepare(
  (sql, p: IdentityKey & { organizationId: string; userId: string; at: string; movedAt: string | null }) =>
    sql.insertInto('sso_identities').values({
      configuration_id: p.configurationId,
      issuer: p.issuer,
      subject: p.subject,
      organization_id: p.organizationId,
      user_id: p.userId,
      created_at: p.at,
      moved_at: p.movedAt,
    }),
);

export const insertIdentity = (
  transaction: Transaction,
  { isMoved, ...identity }: NewIdentity,
): Promise<number> => transaction.run(insert, { ...identity, movedAt: isMoved ? identity.at : null });

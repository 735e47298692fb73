import type { Reader, Transaction } from '../../storage/database.ts';
import { exceptDeleted } from '../../organizations/deleted.ts';
import { prepare } from '../../storage/prepared-query.ts';
import type { ConfigurationKey } from '../configuration/store.ts';

export interface ProvenDomain {
  domain: string;
  organizationId: string;
  /** The one configuration whose people sign in with addresses of the domain. */
  configurationId: string;
  provenBy: 'dns' | 'operator';
  provenAt: string;
  checkedAt: string;
  /** When DNS first returned no such record; null while it does. */
  missingSince: string | null;
}

/** Sound because `proven_by` only ever holds these two. */
const toDomain = (row: Omit<ProvenDomain, 'provenBy'> & { provenBy: string }): ProvenDomain => ({
  ...row,
  provenBy: row.provenBy as ProvenDomain['provenBy'],
});

const columns = [
  'domain',
  'organization_id as organizationId',
  'configuration_id as configurationId',
  'proven_by as provenBy',
  'proven_at as provenAt',
  'checked_at as checkedAt',
  'missing_since as missingSince',
] as const;

const one = prepare((sql, p: { domain: string }) =>
  sql.selectFrom('sso_domains').select(columns).where('domain', '=', p.domain),
);

/** Returns a verified domain, or undefined. */
export async function findProvenDomain(reader: Reader, domain: string): Promise<ProvenDomain | undefined> {
  const row = await reader.first(one, { domain });
  return row && toDomain(row);
}

const ofOrganization = prepare((sql, p: { organizationId: string }) =>
  sql.selectFrom('sso_domains').select(columns).where('organization_id', '=', p.organizationId),
);

/** Returns the verified domains of all configurations of an organization. */
export async function selectProvenDomains(reader: Reader, organizationId: string): Promise<ProvenDomain[]> {
  return (await reader.all(ofOrganization, { organizationId })).map(toDomain);
}

/** Returns the verified domains of one configuration. */
export const selectDomainsOf = async (
  reader: Reader,
  { organizationId, id }: ConfigurationKey,
): Promise<ProvenDomain[]> =>
  (await selectProvenDomains(reader, organizationId)).filter(({ configurationId }) => configurationId === id);

const due = prepare((sql, p: { checkedBefore: string; after: string }) =>
  sql
    .selectFrom('sso_domains')
    .select(columns)
    .where('proven_by', '=', 'dns')
    // Nobody else can verify the domains of a deleted organization before it has ended.
    .where(exceptDeleted('organization_id'))
    .where('checked_at', '<', p.checkedBefore)
    .where('domain', '>', p.after)
    .orderBy('domain')
    .limit(100),
);

/** Returns up to 100 domains verified by DNS that were last checked before `checkedBefore`. */
export async function selectDueDomains(
  reader: Reader,
  checkedBefore: string,
  after: string,
): Promise<ProvenDomain[]> {
  return (await reader.all(due, { checkedBefore, after })).map(toDomain);
}

interface NewDomain extends Pick<ProvenDomain, 'domain' | 'organizationId' | 'configurationId' | 'provenBy'> {
  readonly at: string;
}

const insert = prepare((sql, p: NewDomain) =>
  sql
    .insertInto('sso_domains')
    .values({
      domain: p.domain,
      organization_id: p.organizationId,
      configuration_id: p.configurationId,
      proven_by: p.provenBy,
      proven_at: p.at,
      checked_at: p.at,
      missing_since: null,
    })
    .onConflict((conflict) => conflict.column('domain').doNothing()),
);

/** Returns whether it was inserted: false if it is already verified, by any configuration. */
export const insertProvenDomain = async (transaction: Transaction, input: NewDomain): Promise<boolean> =>
  (await transaction.run(insert, input)) === 1;

const update = prepare((sql, p: { domain: string; checkedAt: string; missingSince: string | null }) =>
  sql
    .updateTable('sso_domains')
    .set({ checked_at: p.checkedAt, missing_since: p.missingSince })
    .where('domain', '=', p.domain),
);

export const updateDomainCheck = (
  transaction: Transaction,
  input: { domain: string; checkedAt: string; missingSince: string | null },
): Promise<number> => transaction.run(update, input);

const updateProof = prepare((sql, p: { domain: string; provenBy: ProvenDomain['provenBy'] }) =>
  sql.updateTable('sso_domains').set({ proven_by: p.provenBy }).where('domain', '=', p.domain),
);

export const updateDomainProof = (
  transaction: Transaction,
  input: { domain: string; provenBy: ProvenDomain['provenBy'] },
): Promise<number> => transaction.run(updateProof, input);

const remove = prepare((sql, p: { domain: string }) =>
  sql.deleteFrom('sso_domains').where('domain', '=', p.domain),
);

export const deleteProvenDomain = (transaction: Transaction, domain: string): Promise<number> =>
  transaction.run(remove, { domain });

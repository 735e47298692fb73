import type { FormerPerson } from '#contract/sso/migration.ts';
import { getAccountRow, type AccountRow } from '../../organizations/users.ts';
import type { Reader } from '../../storage/database.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { isIssuerOf } from '../protocol/provider/discovery-document.ts';
import { domainOf, type SsoIdentity } from '../identity/identity.ts';
import {
  selectFormerPeople,
  selectHeldAddresses,
  selectIssuers,
  type FormerPersonRow,
} from './people-store.ts';
import { findMigration, selectUsersListedAs } from './store.ts';

/** The issuers of a configuration's identities: those of its current provider, and of former ones. */
export interface Issuers {
  readonly currentIssuers: string[];
  readonly formerIssuers: string[];
}

export async function findIssuers(reader: Reader, configuration: StoredSsoConfiguration): Promise<Issuers> {
  const issuers = await selectIssuers(reader, configuration.id);
  return {
    currentIssuers: issuers.filter((issuer) => isIssuerOf(issuer, configuration)),
    formerIssuers: issuers.filter((issuer) => !isIssuerOf(issuer, configuration)),
  };
}

/** What decides whether people keep their accounts. */
interface Terms {
  readonly byAddress: boolean;
  readonly provenDomains: readonly string[];
  /** The addresses that people of the current provider have already. */
  readonly heldAddresses: ReadonlySet<string>;
}

/**
 * Returns whether each person keeps the account, and how. `people` must include everyone with the address of one of
 * them. A person is identified by an address only if both providers confirm it and nobody else has it.
 */
export function matchPeople(people: readonly FormerPersonRow[], terms: Terms): FormerPerson[] {
  const byAddress = Map.groupBy(people.filter(isFoundByAddress), ({ email }) => email);
  return people.map((person) => {
    const { userId, email, name, movedAt } = person;
    const isShared =
      terms.heldAddresses.has(email) ||
      byAddress.get(email)?.some((other) => other.userId !== userId) === true;
    const addressProblem = findAddressProblem(person, terms) ?? (isShared ? 'address_shared' : undefined);
    const known = { userId, email, name, needsPassword: person.managedBy === null };
    if (person.currentSubject !== null)
      return { ...known, state: 'moved', ...(movedAt !== null && { movedAt }) };
    const shown = { ...known, ...(addressProblem && { addressProblem }) };
    const reasonToRefuseAddress = terms.byAddress ? addressProblem : 'address_not_used';
    const reason = reasonAgainst(person) ?? (isListed(person) ? undefined : reasonToRefuseAddress);
    if (reason !== undefined) return { ...shown, state: 'unmatched', reason };
    return { ...shown, state: 'matched', by: isListed(person) ? 'list' : 'address' };
  });
}

const isListed = ({ listedEmail, listedSubject }: FormerPersonRow): boolean =>
  listedEmail !== null || listedSubject !== null;

/** Whether a sign-in with the person's address could mean this person. */
const isFoundByAddress = ({ isMember, listedId }: FormerPersonRow): boolean => isMember && listedId === null;

function reasonAgainst(person: FormerPersonRow): FormerPerson['reason'] {
  if (!person.isMember) return 'not_a_member';
  // Only its password proves that an account with a password belongs to the same person (decision 023).
  if (person.managedBy === null && person.passwordHash === null) return 'no_password';
  // One organization's provider never gives access to what a person has in another.
  if (person.managedBy !== null && person.isElsewhere) return 'in_other_organizations';
  return person.listedId !== null && !isListed(person) ? 'excluded' : undefined;
}

function findAddressProblem(
  { email, isEmailVerified }: FormerPersonRow,
  { provenDomains }: Terms,
): FormerPerson['addressProblem'] {
  if (isEmailVerified === 0) return 'address_not_verified';
  return provenDomains.includes(domainOf(email)) ? undefined : 'domain_not_verified';
}

/** The account that a person of a former provider keeps. */
export interface KeptAccount {
  readonly account: AccountRow;
  readonly by: 'address' | 'list';
  readonly needsPassword: boolean;
}

/**
 * Returns the account of a former provider that a new identity of the current one continues, if an owner has accepted
 * the migration: by the person's ID or confirmed address in the list, or else by the confirmed address.
 */
export async function findKeptAccount(
  reader: Reader,
  configuration: StoredSsoConfiguration,
  { key, email, isEmailVerified }: SsoIdentity,
): Promise<KeptAccount | undefined> {
  const { id: configurationId, organizationId, isFirst } = configuration;
  // What an owner accepted is about the first directory.
  const migration = key === undefined || !isFirst ? undefined : await findMigration(reader, organizationId);
  if (migration === undefined || key === undefined) return undefined;
  const confirmed = isEmailVerified ? email : undefined;
  const [listed, ...others] = await selectUsersListedAs(reader, {
    organizationId,
    subject: key.subject,
    email: confirmed,
  });
  if (others.length > 0 || (listed === undefined && confirmed === undefined)) return undefined;
  const issuers = await findIssuers(reader, configuration);
  const found = await selectFormerPeople(reader, {
    organizationId,
    configurationId,
    ...issuers,
    ...(listed === undefined ? { email: confirmed } : { userId: listed.userId }),
  });
  const provenDomains = await findProvenDomains(reader, configuration);
  const { currentIssuers } = issuers;
  const heldAddresses = await selectHeldAddresses(reader, {
    configurationId,
    currentIssuers,
    email: confirmed,
  });
  const expected = listed === undefined ? 'address' : 'list';
  const [match] = matchPeople(found, { ...migration, provenDomains, heldAddresses }).filter(
    ({ by }) => by === expected,
  );
  if (match?.by === undefined) return undefined;
  return {
    account: await getAccountRow(reader, match.userId),
    by: match.by,
    needsPassword: match.needsPassword,
  };
}

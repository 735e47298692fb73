import { listUserIdsByEmail } from '../../organizations/users.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { domainOf, type SsoIdentity } from '../identity/identity.ts';
import { hasIdentity } from '../identity/store.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import {
  deleteProvisionedUser,
  isDeactivatedUser,
  selectByExternalId,
  selectByUserName,
  selectCandidates,
  selectProvisioned,
  selectProvisionedGroups,
  selectUsersBySubject,
  type ProvisionedRow,
} from './store.ts';

/** The person that a directory provisioned before the first sign-in. */
export interface Provisioned {
  /** The account to sign in to; undefined if something else has to prove that it belongs to the person, such as its password. */
  readonly userId: string | undefined;
  readonly isActive: boolean;
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the external ID of a person says that a subject of the directory is someone else. */
const isOther = (
  { tenantId }: Pick<StoredSsoConfiguration, 'tenantId'>,
  externalId: string | null,
  subject: string | null,
): boolean =>
  // Other mappings send names, which say nothing about `oid`.
  tenantId !== undefined && externalId !== null && guid.test(externalId) && externalId !== subject;

/**
 * Returns the provisioned person who signs in for the first time. The external ID identifies the person if the directory sends its
 * object ID. Otherwise an address does that the directory confirms: the directory itself has given it to this account, which has
 * no other way to sign in.
 */
export async function findProvisioned(
  reader: Reader,
  configuration: StoredSsoConfiguration,
  { key, email, isEmailVerified }: SsoIdentity,
): Promise<Provisioned | undefined> {
  const { organizationId, id: configurationId, isFirst } = configuration;
  if (!isFirst || key === undefined) return undefined;
  const byId = await selectByExternalId(reader, { organizationId, value: key.subject });
  const found =
    onlyOne(byId) ?? (isEmailVerified && email !== undefined ? await findByAddress(email) : undefined);
  if (found === undefined) return undefined;
  const { userId, managedBy, active } = found;
  const mayLink = managedBy === organizationId && !(await hasIdentity(reader, configurationId, userId));
  return { userId: mayLink ? userId : undefined, isActive: active === 1 };

  async function findByAddress(value: string): Promise<ProvisionedRow | undefined> {
    const byName = await selectByUserName(reader, { organizationId, value });
    const ids = byName.length > 0 ? [] : await listUserIdsByEmail(reader, value);
    const rows = byName.length > 0 ? byName : await selectProvisioned(reader, { organizationId, ids });
    return onlyOne(
      rows.filter(({ externalId }) => !isOther(configuration, externalId, key?.subject ?? null)),
    );
  }
}

const onlyOne = <Row>(rows: readonly Row[]): Row | undefined => (rows.length === 1 ? rows[0] : undefined);

/** Whether the directory has deactivated a person. */
export const isDeactivated = (
  reader: Reader,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<boolean> => isDeactivatedUser(reader, member);

/** Returns the groups in which a directory has provisioned a person. Only the first directory provisions. */
export const listProvisionedGroups = async (
  reader: Reader,
  { organizationId, isFirst }: Pick<StoredSsoConfiguration, 'organizationId' | 'isFirst'>,
  userId: string,
): Promise<string[]> => (isFirst ? selectProvisionedGroups(reader, { organizationId, userId }) : []);

/**
 * Returns the accounts that a person of the first directory may already have: of those who have signed in with the external ID or,
 * if there are none, those with the address. Accounts of other directories, and of another object of the directory, are left out.
 */
export async function findExistingAccounts(
  reader: Reader,
  configuration: StoredSsoConfiguration,
  { externalId, email }: NamedPerson,
): Promise<string[]> {
  if (externalId !== undefined) {
    const { id: configurationId } = configuration;
    const bySubject = await selectUsersBySubject(reader, { configurationId, subject: externalId });
    if (bySubject.length > 0) return [...new Set(bySubject)];
  }
  return findAccountsWithAddress(reader, configuration, { externalId, email });
}

interface NamedPerson {
  readonly externalId: string | undefined;
  readonly email: string;
}

/**
 * Returns the accounts of the organization that have the address of a person of the first directory. Accounts of other directories, and
 * of another object of the directory, are left out.
 */
export async function findAccountsWithAddress(
  reader: Reader,
  configuration: StoredSsoConfiguration,
  { externalId, email }: NamedPerson,
): Promise<string[]> {
  const { organizationId, id: configurationId } = configuration;
  const ids = await listUserIdsByEmail(reader, email);
  const rows = await selectCandidates(reader, { organizationId, ids });
  const isExcluded = (row: (typeof rows)[number]) =>
    row.configurationId !== null &&
    (row.configurationId !== configurationId || isOther(configuration, externalId ?? null, row.subject));
  const excluded = new Set(rows.filter(isExcluded).map(({ userId }) => userId));
  return [...new Set(rows.map(({ userId }) => userId))].filter((userId) => !excluded.has(userId));
}

/** Returns the first of some normalized addresses that is in a verified domain of the directory. */
export const findOwnAddress = (
  provenDomains: readonly string[],
  addresses: readonly string[],
): string | undefined => addresses.find((email) => provenDomains.includes(domainOf(email)));

/** Forgets what a directory provisioned about a former member. */
export const endProvisioning = (
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<void> => deleteProvisionedUser(transaction, member);

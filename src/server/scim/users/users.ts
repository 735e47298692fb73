import { recordAudit } from '../../audit/audit.ts';
import { isDeepStrictEqual } from 'node:util';
import { timestamp, type Clock } from '../../base/clock.ts';
import { normalizeEmail } from '../../base/texts/email-address.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { createUser, findAccountById, refreshUser } from '../../organizations/users.ts';
import { findProvisioningDirectory, type ProvisioningDirectory } from '../../sso/provisioning/directory.ts';
import {
  findAccountsWithAddress,
  findExistingAccounts,
  findOwnAddress,
} from '../../sso/provisioning/people.ts';
import { requireRoom } from '../../quotas/quotas.ts';
import { rowBytes } from '../../quotas/usage.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import type { ScimCall, ScimDependencies } from '../dependencies.ts';
import { badRequest, resourceNotFound, ScimError } from '../protocol/errors.ts';
import type { Resource } from '../resources/values.ts';
import { activate, deactivate, remove, requireOwnersCredential } from './membership.ts';
import { readPerson, type Person } from './person.ts';
import {
  findIdByUserName,
  selectIdsByExternalId,
  selectPeople,
  upsertScimUser,
  type PersonRow,
} from './store.ts';

/** A person as SCIM shows it. */
export interface ScimUser {
  readonly id: string;
  /** Without what the server gives. */
  readonly attributes: Resource;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Returns a person with the attributes that SCIM stored or, before, those of the account. */
export function toScimUser(row: PersonRow): ScimUser {
  const since = row.memberSince ?? '';
  const stored = row.attributes === null ? undefined : (JSON.parse(row.attributes) as Resource);
  return {
    id: row.id,
    attributes: stored ?? {
      userName: row.email,
      displayName: row.name,
      name: { formatted: row.name },
      active: true,
      emails: [{ value: row.email, type: 'work', primary: true }],
    },
    version: row.version ?? 0,
    createdAt: row.createdAt ?? since,
    updatedAt: row.updatedAt ?? since,
  };
}

/** Throws the error of an organization without a directory, in which nobody can be provisioned. */
async function requireDirectory(reader: Reader, organizationId: string): Promise<ProvisioningDirectory> {
  const directory = await findProvisioningDirectory(reader, organizationId);
  if (directory !== undefined) return directory;
  throw badRequest('invalidValue', 'The organization has no configuration of single sign-on.');
}

/** Returns a person that SCIM manages or may manage. Throws 404. */
export async function getPerson(reader: Reader, organizationId: string, id: string): Promise<PersonRow> {
  const [row] = await selectPeople(reader, organizationId, [id]);
  if (row === undefined || !isManaged(row, await findProvisioningDirectory(reader, organizationId)))
    throw resourceNotFound();
  return row;
}

/**
 * Whether SCIM has stored a person, or may: the address is in a verified domain of the directory. Accounts of people who only signed in
 * through other directories are left out: the domain may have moved to this one, where the address can be somebody else's.
 */
export const isManaged = (row: PersonRow, directory: ProvisioningDirectory | undefined): boolean =>
  row.version !== null ||
  (row.isOfFirst !== 0 && directory?.provenDomains.includes(row.email.split('@')[1] ?? '') === true);

/** Creates a person, or takes over the account of one who already signed in. Throws `uniqueness` and `invalidValue`. */
export function createScimUser(
  dependencies: ScimDependencies,
  call: ScimCall,
  attributes: Resource,
): Promise<ScimUser> {
  const { database, clock } = dependencies;
  const { organizationId } = call;
  return database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const directory = await requireDirectory(transaction, organizationId);
    const person = readPerson(attributes, directory.provenDomains);
    const found = await findExistingAccounts(transaction, directory.configuration, person);
    if (found.length > 1) throw isTaken();
    const [existing] = found;
    const [row] = existing === undefined ? [] : await selectPeople(transaction, organizationId, [existing]);
    if (row !== undefined && row.version !== null) throw isTaken();
    if (existing !== undefined && row === undefined)
      await requireOwnAccount(transaction, directory, existing);
    const { email, name } = person;
    const id =
      existing ??
      (await createUser(transaction, clock, { email, name, passwordHash: null, organizationId })).id;
    return save(dependencies, transaction, call, { id, row, directory, person, attributes });
  });
}

/**
 * Throws `uniqueness` for a former member whose account isn't the directory's: it doesn't manage the account, and the address isn't in
 * one of its verified domains. Otherwise people who once signed in through a directory couldn't leave its organization for good.
 */
async function requireOwnAccount(
  reader: Reader,
  { configuration, provenDomains }: ProvisioningDirectory,
  userId: string,
): Promise<void> {
  const account = await findAccountById(reader, userId);
  const isOwn =
    account?.organizationId === configuration.organizationId ||
    (account !== undefined && findOwnAddress(provenDomains, [account.email]) !== undefined);
  if (isOwn) return;
  throw badRequest(
    'uniqueness',
    'This person is no longer a member, and their account has an address outside of the directory’s verified domains. They become a member again when they sign in through the directory.',
  );
}

const isTaken = () =>
  badRequest('uniqueness', 'There is already a person with this userName, address or externalId.');

/**
 * Changes a person by a function of the attributes. `isExpected` decides by the present version. Throws 404, 412, and what the function
 * throws.
 */
export function changeScimUser(
  dependencies: ScimDependencies,
  call: ScimCall,
  id: string,
  {
    isExpected,
    change,
  }: {
    readonly isExpected: (version: number) => boolean;
    readonly change: (attributes: Resource) => Resource;
  },
): Promise<ScimUser> {
  const { organizationId } = call;
  return dependencies.database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const row = await getPerson(transaction, organizationId, id);
    const before = toScimUser(row);
    if (!isExpected(before.version)) throw changedMeanwhile();
    const changed = change(before.attributes);
    // Only a value deactivates or activates a person, not its absence.
    const active = changed['active'] ?? before.attributes['active'] ?? true;
    const attributes = { ...changed, active };
    // A deactivated member was the last owner, and need not be any more.
    const isPending = active === false && row.role !== null;
    if (row.version !== null && !isPending && isDeepStrictEqual(attributes, before.attributes)) return before;
    const directory = await requireDirectory(transaction, organizationId);
    const person =
      active === false
        ? readLeaver(row, attributes, directory)
        : readPerson(attributes, directory.provenDomains);
    return save(dependencies, transaction, call, { id, row, directory, person, attributes });
  });
}

/** Ending access never depends on a domain: it may no longer be verified, or have moved to another directory. */
const readLeaver = (
  { email }: PersonRow,
  attributes: Resource,
  { provenDomains }: ProvisioningDirectory,
): Person => readPerson(attributes, provenDomains, email);

export const changedMeanwhile = (): ScimError =>
  new ScimError(412, undefined, 'The resource has changed since the version in If-Match.');

async function save(
  dependencies: ScimDependencies,
  transaction: Transaction,
  call: ScimCall,
  {
    id,
    row,
    directory: { configuration },
    person,
    attributes,
  }: {
    readonly id: string;
    /** Undefined if the person is not a member yet. */
    readonly row: PersonRow | undefined;
    readonly directory: ProvisioningDirectory;
    readonly person: Person;
    readonly attributes: Resource;
  },
): Promise<ScimUser> {
  const { clock } = dependencies;
  const { organizationId } = call;
  const { userName, externalId, active, email, name } = person;
  const key = userName.toLowerCase();
  const other = await findIdByUserName(transaction, { organizationId, value: key });
  if (other !== undefined && other !== id) throw isTaken();
  if (externalId !== undefined && externalId !== row?.externalId) {
    const others = await selectIdsByExternalId(transaction, { organizationId, value: externalId });
    if (others.some((one) => one !== id)) throw isTaken();
  }
  await requireFreeAddresses(transaction, configuration, { id, row, person });
  if (row !== undefined && changesAccess(organizationId, row, person))
    await requireOwnersCredential(dependencies, transaction, call, row);
  await refreshUser(transaction, clock, { organizationId, id, email, name, isEmailVerified: true });
  const at = timestamp(clock());
  const version = (row?.version ?? 0) + 1;
  const stored = { ...attributes, active };
  const text = JSON.stringify(stored);
  if (active) await requireRoomFor(transaction, organizationId, text, row?.attributes ?? undefined);
  await upsertScimUser(transaction, {
    organizationId,
    userId: id,
    userName: key,
    externalId: externalId ?? null,
    active: active ? 1 : 0,
    attributes: text,
    version,
    at,
  });
  await recordSave(transaction, clock, call, id, {
    before: row === undefined || row.version === null ? undefined : namesOf(row),
    after: { email, name, userName: key, externalId: externalId ?? null, active },
  });
  const member = { organizationId, userId: id };
  if (active || row === undefined) await activate(dependencies, transaction, call, { member, configuration });
  if (!active) await deactivate(dependencies, transaction, call, member);
  return { id, attributes: stored, version, createdAt: row?.createdAt ?? at, updatedAt: at };
}

/** Throws `quota_exceeded` if the attributes of a person need more than there is. Ending access needs nothing. */
async function requireRoomFor(
  transaction: Transaction,
  organizationId: string,
  text: string,
  before: string | undefined,
): Promise<void> {
  const added = Buffer.byteLength(text) - (before === undefined ? -rowBytes : Buffer.byteLength(before));
  if (added > 0)
    await requireRoom(transaction, { kind: 'organization', organizationId }, { records: 0, bytes: added });
}

/**
 * Throws `uniqueness` if a new user name or address of a person is the address of another account of the organization: both identify
 * who signs in. Accounts of other organizations don't exist here.
 */
async function requireFreeAddresses(
  reader: Reader,
  configuration: ProvisioningDirectory['configuration'],
  {
    id,
    row,
    person: { userName, externalId, email },
  }: { id: string; row: PersonRow | undefined; person: Person },
): Promise<void> {
  const isStored = row === undefined || row.managedBy === configuration.organizationId;
  const addresses = new Set([isStored && row?.email !== email ? email : undefined]);
  if (row?.userName !== userName.toLowerCase()) addresses.add(normalizeEmail(userName));
  for (const address of addresses) {
    if (address === undefined) continue;
    const found = await findAccountsWithAddress(reader, configuration, { externalId, email: address });
    if (found.some((one) => one !== id)) throw isTaken();
  }
}

/** What the audit log has of a person: what decides whose account it is, and whether it is in use. */
interface AuditedPerson {
  readonly email: string;
  readonly name: string;
  readonly userName: string | null;
  readonly externalId: string | null;
  readonly active: boolean;
}

const namesOf = ({ email, name, userName, externalId, active }: PersonRow): AuditedPerson => ({
  email,
  name,
  userName,
  externalId,
  active: active === 1,
});

/** Records a change of what the audit log has of a person. */
async function recordSave(
  transaction: Transaction,
  clock: Clock,
  { actor, organizationId }: ScimCall,
  userId: string,
  { before, after }: { readonly before: AuditedPerson | undefined; readonly after: AuditedPerson },
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return;
  const details = { userId, email: after.email, before, after };
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'provisioning.person_saved',
    actor,
    details,
  });
}

/**
 * Whether a change ends or restores access, renames the person, or decides who signs in to the account: someone who has signed in can't
 * be replaced, but an account that waits for its person goes to the one that the names identify.
 */
function changesAccess(
  organizationId: string,
  row: PersonRow,
  { userName, externalId, active, email, name }: Person,
): boolean {
  // A deactivated person who is still a member was the last owner. Only an owner's credential may suspend them.
  const isPending = !active && row.role !== null;
  if (isPending || active !== ((row.active ?? 1) === 1) || email !== row.email) return true;
  if (row.managedBy !== organizationId) return false;
  if (row.version === null) return row.isOfFirst !== 1 || name !== row.name;
  return (
    name !== row.name || userName.toLowerCase() !== row.userName || (externalId ?? null) !== row.externalId
  );
}

/** Removes a person from the organization. The last owner is only deactivated. Throws 404, 412, and 403 for the last owner. */
export async function deleteScimUser(
  dependencies: ScimDependencies,
  call: ScimCall,
  id: string,
  isExpected: (version: number) => boolean,
): Promise<void> {
  const { organizationId } = call;
  const member = { organizationId, userId: id };
  const isRemoved = await dependencies.database.write(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const row = await getPerson(transaction, organizationId, id);
    if (!isExpected(row.version ?? 0)) throw changedMeanwhile();
    await requireOwnersCredential(dependencies, transaction, call, row);
    if (await remove(dependencies, transaction, call, member)) return true;
    const directory = await requireDirectory(transaction, organizationId);
    const attributes = { ...toScimUser(row).attributes, active: false };
    const person = readLeaver(row, attributes, directory);
    await save(dependencies, transaction, call, { id, row, directory, person, attributes });
    return false;
  });
  if (isRemoved) return;
  throw new ScimError(
    403,
    undefined,
    'The last owner of an organization can’t be deleted. Their sessions and tokens have ended.',
  );
}

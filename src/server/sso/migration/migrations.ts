import type { FormerPerson, ListedPerson, SsoMigration, SsoMigrationInput } from '#contract/sso/migration.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/credentials/confirmation.ts';
import { normalizeEmail } from '../../base/texts/email-address.ts';
import { AtriumError, invalidBody, notFound } from '../../base/errors.ts';
import { firstRows, type Page, type PageRequest, toPage } from '../../base/paging.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { requirePermissionToChangeSso } from '../permission.ts';
import { endSessionsOfMember } from '../../sessions/sessions.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { getConfiguration, type StoredSsoConfiguration } from '../configuration/store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { findIssuers, matchPeople } from './matching.ts';
import { deleteMovedIdentity, selectFormerPeople, selectHeldAddresses } from './people-store.ts';
import {
  deleteListedPeople,
  findMigration,
  selectListedPeople,
  upsertListedPerson,
  upsertMigration,
} from './store.ts';

/** Returns how the people of former providers keep their accounts. Owner or admin. */
export async function getSsoMigration(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<SsoMigration> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  return describe(reader, await getConfiguration(reader, organizationId));
}

/** Lists the people of former providers, by user id. Owner or admin. */
export async function listFormerPeople(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<FormerPerson>> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  const people = await findPeople(reader, await getConfiguration(reader, organizationId));
  const { after } = page;
  const following = after === undefined ? people : people.filter(({ userId }) => userId > after);
  return toPage(firstRows(following, page.limit), ({ userId }) => userId);
}

/**
 * Accepts a migration, or changes an accepted one. Owner, with a recent confirmation of identity: the people of the
 * current provider become people of the organization. Throws `sso_not_ready` if an admin chose that provider.
 */
export function putSsoMigration(
  database: Database,
  clock: Clock,
  actor: Actor,
  organizationId: string,
  { byAddress, people }: SsoMigrationInput,
): Promise<SsoMigration> {
  const listed = readList(people);
  return database.write(async (transaction) => {
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId, 'sso.migrate');
    const configuration = await getConfiguration(transaction, organizationId);
    requireConfirmation(actor, clock);
    if (!configuration.ownerApproved) {
      throw new AtriumError(
        'sso_not_ready',
        'An admin chose this identity provider. Have an owner save the configuration first.',
      );
    }
    const known = new Set((await findPeople(transaction, configuration)).map(({ userId }) => userId));
    requireEach(listed, ({ userId }) => known.has(userId), 'userId', 'must be a person of a former provider');
    await upsertMigration(transaction, organizationId, { byAddress, acceptedAt: timestamp(clock()) });
    await deleteListedPeople(transaction, organizationId);
    for (const person of listed) await upsertListedPerson(transaction, organizationId, person);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sso.migration.saved',
      actor,
      details: { byAddress, people: listed.map((person) => ({ ...person })) },
    });
    return describe(transaction, configuration);
  });
}

/**
 * Detaches an account from the wrong person, who kept it through a migration. Owner. Throws `not_found` if it gave the account to
 * nobody. The person is no longer matched, and gets a new account at the next sign-in.
 */
export async function undoSsoMigration(
  database: Database,
  clock: Clock,
  actor: Actor,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await database.write(async (transaction) => {
    await requirePermissionToChangeSso(transaction, clock, actor, organizationId, 'sso.migrate');
    const configuration = await getConfiguration(transaction, organizationId);
    const { currentIssuers } = await findIssuers(transaction, configuration);
    const identity = { configurationId: configuration.id, currentIssuers, userId };
    if (!(await deleteMovedIdentity(transaction, identity))) throw notFound();
    await upsertListedPerson(transaction, organizationId, { userId, email: null, subject: null });
    await endSessionsOfMember(transaction, { organizationId, userId });
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sso.migration.undone',
      actor,
      details: { userId },
    });
  });
}

/** Returns the people of former providers. Until a migration is accepted, as if it included their addresses. */
async function findPeople(reader: Reader, configuration: StoredSsoConfiguration): Promise<FormerPerson[]> {
  const { id: configurationId, organizationId } = configuration;
  const issuers = await findIssuers(reader, configuration);
  if (issuers.formerIssuers.length === 0) return [];
  const rows = await selectFormerPeople(reader, { organizationId, configurationId, ...issuers });
  const provenDomains = await findProvenDomains(reader, configuration);
  const heldAddresses = await selectHeldAddresses(reader, { configurationId, ...issuers });
  const { byAddress } = (await findMigration(reader, organizationId)) ?? { byAddress: true };
  return matchPeople(rows, { byAddress, provenDomains, heldAddresses });
}

async function describe(reader: Reader, configuration: StoredSsoConfiguration): Promise<SsoMigration> {
  const { organizationId } = configuration;
  const migration = await findMigration(reader, organizationId);
  const { formerIssuers } = await findIssuers(reader, configuration);
  const people = await findPeople(reader, configuration);
  const count = (state: FormerPerson['state']) => people.filter((person) => person.state === state).length;
  return {
    ...(migration !== undefined && { acceptedAt: migration.acceptedAt }),
    byAddress: migration?.byAddress ?? true,
    people: await selectListedPeople(reader, organizationId),
    formerIssuers,
    totalCount: people.length,
    movedCount: count('moved'),
    matchedCount: count('matched'),
  };
}

/** Returns a list with normalized addresses. Throws `invalid_body` if two entries have something in common. */
function readList(people: readonly ListedPerson[]): ListedPerson[] {
  const read = people.map(({ email, ...person }) => ({
    ...person,
    ...(email !== undefined && { email: normalizeEmail(email) ?? '' }),
  }));
  requireEach(read, ({ email }) => email !== '', 'email', 'must be an email address');
  for (const name of ['userId', 'email', 'subject'] as const) {
    const seen = new Set<string>();
    const isNew = (value: string | undefined) => {
      if (value === undefined) return true;
      if (seen.has(value)) return false;
      seen.add(value);
      return true;
    };
    requireEach(read, (person: ListedPerson) => isNew(person[name]), name, 'must not be listed twice');
  }
  return read;
}

function requireEach(
  people: readonly ListedPerson[],
  isValid: (person: ListedPerson) => boolean,
  name: keyof ListedPerson,
  message: string,
): void {
  const index = people.findIndex((person) => !isValid(person));
  if (index !== -1) throw invalidBody({ pointer: `/people/${index}/${name}`, code: 'person', message });
}

import type { Organization } from '#contract/organizations.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { insertMember } from './member-store.ts';
import { isOpenTo, listOrganizationIds, lockOrganization, requireRole } from './members.ts';
import {
  findOrganization,
  insertOrganization,
  selectOrganizations,
  updateOrganizationName,
} from './organization-store.ts';

/** More than anybody needs, and few enough that a list over all of them stays quick. */
const maxOrganizations = 200;

/** Creates an organization; the actor becomes its owner. Throws `forbidden` at the 200th. */
export function createOrganization(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { name: string },
): Promise<Organization> {
  if (actor.onlyOrganizationId !== undefined) {
    throw new AtriumError(
      'forbidden',
      'This session opens one organization alone; sign in with a password to create another.',
    );
  }
  return database.write(async (transaction) => {
    if ((await listOrganizationIds(transaction, actor)).length >= maxOrganizations) {
      throw new AtriumError(
        'forbidden',
        `You are a member of ${maxOrganizations} organizations, which is the most.`,
      );
    }
    return foundOrganization(transaction, clock, actor.userId, input.name);
  });
}

/** Creates an organization with its first owner. */
export async function foundOrganization(
  transaction: Transaction,
  clock: Clock,
  ownerId: string,
  name: string,
): Promise<Organization> {
  const at = timestamp(clock());
  const id = newId();
  await insertOrganization(transaction, { id, name, at });
  await insertMember(transaction, { organizationId: id, userId: ownerId, role: 'owner', at });
  return { id, name, role: 'owner', createdAt: at, updatedAt: at };
}

/** Returns an organization of the actor. Throws `not_found` for any other. */
export async function getOrganization(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<Organization> {
  const organization = await findOrganization(reader, organizationId, actor.userId);
  if (organization === undefined || !isOpenTo(actor, organizationId)) throw notFound();
  return organization;
}

/** Lists the organizations that the actor's session opens. */
export async function listOrganizations(
  reader: Reader,
  actor: Actor,
  page: PageRequest,
): Promise<Page<Organization>> {
  if (actor.onlyOrganizationId !== undefined) {
    const only = await findOrganization(reader, actor.onlyOrganizationId, actor.userId);
    return { items: only === undefined ? [] : [only] };
  }
  const rows = await selectOrganizations(reader, actor.userId, page);
  return toPage(rows, page, ({ id }) => id);
}

/** Renames an organization. Owner or admin. */
export function renameOrganization(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: { organizationId: string; name: string },
): Promise<Organization> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, input.organizationId);
    await requireRole(transaction, actor, input.organizationId, 'admin');
    await updateOrganizationName(transaction, {
      id: input.organizationId,
      name: input.name,
      at: timestamp(clock()),
    });
    return getOrganization(transaction, actor, input.organizationId);
  });
}

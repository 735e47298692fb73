import { printable } from '../../cli/usage/printable.ts';
import { required, UsageError } from '../../cli/usage/usage.ts';
import { daysMs } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import {
  deleteByOperator,
  graceDays,
  listDeletedByOperator,
  restoreByOperator,
} from '../organization-deletion/deletion.ts';
import { findCandidate, type Candidate } from '../organization-deletion/new-owner-queries.ts';
import { getAccountRow } from '../organizations/users.ts';
import type { Reader } from '../storage/database.ts';
import type { Command } from './command.ts';
import { getOrganizationId, organizationOption } from './organization.ts';
import { getAccountByEmailOrId } from './users/account.ts';

export const organizationDelete: Command = {
  name: 'organization delete',
  summary: `Deletes an organization, which can be restored for ${graceDays} days.`,
  options: [
    organizationOption,
    {
      name: 'now',
      placeholder: '',
      help: 'deletes its data within ten minutes, and erases it from the database files within a day; it can’t be restored',
      required: false,
    },
  ],
  async run(dependencies, values) {
    const organizationId = await getOrganizationId(dependencies.database, required(values, 'organization'));
    const graceMs = values['now'] !== undefined ? 0 : daysMs(graceDays);
    const deleted = await deleteByOperator(dependencies, { organizationId, graceMs });
    if (deleted === undefined) throw new UsageError('The data of the organization is already being deleted.');
    return {
      text: `deleted: ${organizationId}, its data will be deleted at ${deleted.endsAt}`,
      data: { organization: deleted },
    };
  },
};

export const organizationRestore: Command = {
  name: 'organization restore',
  summary: 'Restores a deleted organization whose data has not been deleted yet.',
  options: [
    organizationOption,
    {
      name: 'owner',
      placeholder: 'USER',
      help: 'the id of an account that becomes an owner, or the email address of a former member; required if all owners have deleted their accounts',
      required: false,
    },
  ],
  async run(dependencies, values) {
    const { database } = dependencies;
    const organizationId = await getOrganizationId(database, required(values, 'organization'));
    const owner = values['owner'];
    const newOwner =
      typeof owner === 'string' ? await getPossibleOwner(database, organizationId, owner) : undefined;
    const restored = await restoreByOperator(dependencies, { organizationId, ownerId: newOwner?.id }).catch(
      (error: unknown) => {
        if (!(error instanceof AtriumError) || error.code !== 'last_owner') throw error;
        throw new UsageError(`${error.message} Name a new owner with --owner.`);
      },
    );
    if (restored === undefined)
      throw new UsageError('The organization is not deleted, or its data is being deleted.');
    if (newOwner === undefined)
      return { text: `restored: ${organizationId}`, data: { organization: restored } };
    const { id, email, createdAt } = newOwner;
    return {
      text: `restored: ${organizationId}\nowner: ${describe(newOwner)}`,
      data: { organization: restored, owner: { id, email, createdAt } },
    };
  },
};

/**
 * Returns an account that can sign in, that no other organization manages, and that this one hasn't suspended. An address alone names
 * only a former member: anyone can have registered the address of a deleted account.
 */
async function getPossibleOwner(reader: Reader, organizationId: string, text: string): Promise<Candidate> {
  const { id } = await getAccountByEmailOrId(reader, text);
  const account = await getAccountRow(reader, id);
  const isOfOther = account.organizationId !== null && account.organizationId !== organizationId;
  if (isOfOther || account.isServiceAccount === 1 || account.disabledAt !== null)
    throw new UsageError(
      `${text} can’t be an owner: the account is disabled, is a service account, or another organization manages it.`,
    );
  const candidate = await findCandidate(reader, organizationId, id);
  if (candidate === undefined) throw new UsageError(`There is no account with the id ${id}.`);
  if (candidate.isSuspended === 1)
    throw new UsageError(
      `${text} can’t be an owner: the organization or its directory suspended the account.`,
    );
  if (candidate.wasMember === 0 && text !== id)
    throw new UsageError(
      `${text} was not a member of the organization. Anyone can have registered the address since. If it is the right account, use its id: ${describe(candidate)}.`,
    );
  return candidate;
}

const describe = ({ id, email, createdAt }: Candidate): string =>
  `${id} (${printable(email)}, created at ${createdAt})`;

export const organizationDeleted: Command = {
  name: 'organization deleted',
  summary: 'Lists the deleted organizations, and when their data will be deleted.',
  options: [],
  async run({ database }) {
    const organizations = await listDeletedByOperator(database);
    return {
      text: organizations.map(({ id, name, endsAt }) => `${id}  ${endsAt}  ${name}`).join('\n'),
      data: { organizations },
    };
  },
};

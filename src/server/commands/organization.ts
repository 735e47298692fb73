import { findOrganizationsNamed } from '../organizations/organizations.ts';
import type { Reader } from '../storage/database.ts';
import { UsageError } from './command.ts';

/** Returns the id of the organization that has this id or name. Throws `UsageError` when it is not one. */
export async function getOrganizationId(reader: Reader, text: string): Promise<string> {
  const ids = await findOrganizationsNamed(reader, text);
  const [id] = ids;
  if (id === undefined) throw new UsageError(`There is no organization with the id or name ${text}.`);
  if (ids.length === 1) return id;
  throw new UsageError(`Several organizations have this name; take the id of one: ${ids.join(', ')}.`);
}

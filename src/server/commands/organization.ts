import { findOrganizationsNamed } from '../organizations/organizations.ts';
import type { Reader } from '../storage/database.ts';
import { UsageError } from '../../cli/usage/usage.ts';

/** The option of commands for which the name of the organization is enough. */
export const organizationOption = {
  name: 'organization',
  placeholder: 'ORGANIZATION',
  help: 'its id or its name',
  required: true,
} as const;

/** Returns the id of the organization with this id or name. Throws `UsageError` unless there is exactly one. */
export async function getOrganizationId(reader: Reader, text: string): Promise<string> {
  const ids = await findOrganizationsNamed(reader, text);
  const [id] = ids;
  if (id === undefined) throw new UsageError(`There is no organization with the id or name ${text}.`);
  if (ids.length === 1) return id;
  throw new UsageError(`Several organizations have this name. Use one of these ids: ${ids.join(', ')}.`);
}

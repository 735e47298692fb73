import { StartError } from '../../../base/errors.ts';
import type { Reader } from '../../../storage/database.ts';
import { findInstanceId } from '../../../storage/instance.ts';
import { isOfDatabase } from '../../ownership.ts';
import type { Objects } from './objects.ts';

/** The object with the id of the database that the tables beside it belong to. */
export const instanceKey = 'instance-id';

/**
 * Marks the objects as belonging to this database, unless they are marked already: a server would treat those of another one as
 * leftovers. Objects without a mark are accepted if the database has the organization of any of them. Throws a `StartError`
 * if they belong to another database.
 */
export async function claimObjects(reader: Reader, objects: Objects): Promise<void> {
  const marked = (await objects.readText(instanceKey))?.trim();
  const own = await findInstanceId(reader);
  if (marked !== undefined) {
    if (marked === own) return;
    throw new StartError(
      `DATABASE_URL, ATRIUM_TABLES_URL: the uploaded tables in ${addressOf(objects)} belong to another database.\n` +
        'Most likely one of the two settings is wrong: correct it, so that both belong to the same server.\n' +
        'If they do belong together, for example because the database was restored from an old backup, delete the ' +
        `object ${objects.place.prefix}${instanceKey} and start again.`,
    );
  }
  if (!(await isOfDatabase(reader, await listOrganizations(objects)))) {
    throw new StartError(
      `DATABASE_URL, ATRIUM_TABLES_URL: the uploaded tables in ${addressOf(objects)} belong to organizations that this ` +
        'database does not have.\nMost likely one of the two settings is wrong: correct it. To use a new database, choose ' +
        'another bucket or prefix.',
    );
  }
  await objects.writeText(instanceKey, `${own ?? ''}\n`);
}

/** Returns the ids of some organizations that have files. Any of them decides, so the rest of a large bucket isn't listed. */
async function listOrganizations(objects: Objects): Promise<string[]> {
  const ids = new Set<string>();
  for await (const { key } of objects.list('')) {
    const [id, ...rest] = key.split('/');
    if (id !== undefined && rest.length === 2) ids.add(id);
    if (ids.size === 10) break;
  }
  return [...ids];
}

const addressOf = ({ place }: Objects): string => `s3://${place.bucket}/${place.prefix}`;

import { join } from 'node:path';
import { StartError } from '../../../base/errors.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { Reader } from '../../../storage/database.ts';
import { claimObjects } from './claim.ts';
import { toStorageError } from './errors.ts';
import { defaultObjectLimits, openObjects, type ObjectPlace } from './objects.ts';
import { createS3Files, type S3Files } from './s3-files.ts';

/** Returns the directory of the copies of uploaded tables on S3-compatible storage. */
const cacheDirectory = (dataDirectory: string): string => join(dataDirectory, 'tables-cache');

export type S3Settings = Pick<Settings, 'dataDirectory' | 's3Endpoint' | 's3Region' | 'tablesCacheMb'> & {
  readonly tablesUrl: string;
};

/** Returns the bucket and the prefix of an `s3://` URL. */
function placeOf(url: string): Pick<ObjectPlace, 'bucket' | 'prefix'> {
  const { host, pathname } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  return { bucket: host, prefix: parts.map((part) => `${part}/`).join('') };
}

/**
 * Opens the bucket with the uploaded tables. Throws a `StartError` if it belongs to another database, or refuses the
 * credentials. If it can't be reached, that may be over soon: the server starts, tables with local copies can be queried, and
 * nothing is stored or deleted until the bucket has turned out to belong to this database.
 */
export async function openS3Files(
  reader: Reader,
  { dataDirectory, tablesUrl, s3Endpoint, s3Region, tablesCacheMb }: S3Settings,
  limits = defaultObjectLimits,
): Promise<S3Files> {
  const place = { ...placeOf(tablesUrl), endpoint: s3Endpoint, region: s3Region };
  const objects = await openObjects(place, limits);
  let isClaimed = false;
  const claim = async (): Promise<void> => {
    if (isClaimed) return;
    await claimObjects(reader, objects);
    isClaimed = true;
  };
  const directory = cacheDirectory(dataDirectory);
  const maxCacheBytes = tablesCacheMb * 1024 ** 2;
  const files = await createS3Files(objects, { reader, directory, maxCacheBytes, claim, limits });
  await files.check().catch((cause: unknown) => {
    if (cause instanceof StartError) throw cause;
    const error = toStorageError(cause);
    if (error.fault === 'unreachable') return;
    throw new StartError(
      `ATRIUM_TABLES_URL, AWS_*: the bucket ${place.bucket} cannot be used: ${error.message}\n` +
        'Check the bucket, its region (AWS_REGION), the endpoint (AWS_ENDPOINT_URL_S3), and the credentials ' +
        '(AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role), which must be allowed to list the bucket and to ' +
        'read, write and delete its objects.',
      { cause },
    );
  });
  return files;
}

import type { UploadFormat } from '#contract/data-sources/data-sources.ts';
import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** How long a file that isn't imported is stored. */
export const uploadExpiresMs = daysMs(1);

/** A file that was uploaded, and isn't a table yet. */
export interface StoredUpload {
  readonly id: string;
  readonly organizationId: string;
  /** The user who uploaded it. */
  readonly userId: string;
  /** The name of the file in the directory of the organization's uploads. */
  readonly file: string;
  readonly format: UploadFormat;
  readonly sizeBytes: number;
  readonly createdAt: string;
}

const insert = prepare((db, p: Omit<StoredUpload, 'format'> & { format: string }) =>
  db.insertInto('uploads').values({
    id: p.id,
    organization_id: p.organizationId,
    user_id: p.userId,
    file: p.file,
    format: p.format,
    size_bytes: p.sizeBytes,
    created_at: p.createdAt,
  }),
);

export const insertUpload = (transaction: Transaction, upload: StoredUpload): Promise<number> =>
  transaction.run(insert, upload);

const ofUser = prepare((db, p: { id: string; userId: string; after: string }) =>
  db
    .selectFrom('uploads')
    .select([
      'id',
      'organization_id as organizationId',
      'user_id as userId',
      'file',
      'format',
      'size_bytes as sizeBytes',
      'created_at as createdAt',
    ])
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .where('created_at', '>', p.after),
);

/** Returns an upload of a user that hasn't expired, or undefined. */
export async function findUpload(
  reader: Reader,
  clock: Clock,
  key: { readonly id: string; readonly userId: string },
): Promise<StoredUpload | undefined> {
  const row = await reader.first(ofUser, { ...key, after: timestamp(clock() - uploadExpiresMs) });
  // Sound because only `insertUpload` writes the row.
  return row && { ...row, format: row.format as UploadFormat, sizeBytes: Number(row.sizeBytes) };
}

const remove = prepare((db, p: { id: string }) => db.deleteFrom('uploads').where('id', '=', p.id));

/** Returns 0 if another request has deleted it. */
export const deleteUploadRow = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

const removeOld = prepare((db, p: { before: string }) =>
  db.deleteFrom('uploads').where('created_at', '<', p.before),
);

/** Deletes the rows of uploads that were never imported. `sweepSourceFiles` removes their files. */
export async function sweepUploadRows(database: Database, clock: Clock): Promise<void> {
  const before = timestamp(clock() - uploadExpiresMs);
  await database.write((transaction) => transaction.run(removeOld, { before }));
}

const sizes = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('uploads')
    .select((select) => select.fn.sum('size_bytes').as('sizeBytes'))
    .where('organization_id', '=', p.organizationId),
);

/** Returns the total size of an organization's files that aren't tables yet. */
export async function sumUploads(reader: Reader, organizationId: string): Promise<number> {
  return Number((await reader.first(sizes, { organizationId }))?.sizeBytes ?? 0);
}

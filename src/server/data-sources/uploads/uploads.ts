import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadTypes } from '#contract/data-sources/data-sources.ts';
import type { ChosenOptions, ImportPreview } from '#contract/data-sources/imports.ts';
import type { Upload } from '#contract/data-sources/uploads.ts';
import type { Actor } from '../../base/actor.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { mayBeStored, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { toQueryProblem } from '../../engine/problem.ts';
import type { QueryEngine } from '../../engine/query-engine.ts';
import { requirePermission, requirePermissionToChange } from '../../organizations/authorization.ts';
import type { Database } from '../../storage/database.ts';
import { newFileName, temporaryDirectory, uploadsName, type SourceFiles } from '../tables/files.ts';
import { findRemainingBytes, quotaExceeded, type UploadLimits } from '../tables/upload-quota.ts';
import { requireColumnNames } from './options.ts';
import { maxUploadBytes, receive, tooLarge } from './receive.ts';
import { deleteUploadRow, findUpload, insertUpload, uploadExpiresMs, type StoredUpload } from './store.ts';

/** Dependencies of uploading, previewing and importing files. */
export interface UploadsDependencies extends UploadLimits {
  readonly database: Database;
  readonly clock: Clock;
  readonly engine: Pick<QueryEngine, 'importFile' | 'previewFile'>;
  readonly files: SourceFiles;
}

/** A file that is being received. */
interface ReceivedFile {
  readonly organizationId: string;
  readonly mediaType: string;
  readonly lengthBytes: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const directoryOf = (files: SourceFiles, organizationId: string): string =>
  join(files.directory, organizationId, uploadsName);

/** Stores a file, to preview and import it. Editor or higher. Throws `body_too_large` and `too_many_attempts`. */
export async function createUpload(
  dependencies: UploadsDependencies,
  actor: Actor,
  { organizationId, mediaType, lengthBytes = 0, chunks }: ReceivedFile,
): Promise<Upload> {
  const { database, clock, files, slots } = dependencies;
  await requirePermission(database, actor, organizationId, 'data_source.manage_files');
  if (lengthBytes > maxUploadBytes) throw tooLarge();
  const noTable = { organizationId, dataSourceId: '', name: '' };
  const remainingBytes = await findRemainingBytes(dependencies, database, noTable);
  if (remainingBytes < Math.max(lengthBytes, 1)) throw quotaExceeded(dependencies);
  const directory = directoryOf(files, organizationId);
  const file = newFileName('upload');
  const path = join(directory, file);
  return slots.use(keyOfOrganization(organizationId), async (space) => {
    try {
      await mkdir(directory, { recursive: true });
      const sizeBytes = await receive(chunks, path, (chunkBytes) => {
        space.add(chunkBytes);
        if (space.total() > remainingBytes) throw quotaExceeded(dependencies);
      });
      await files.store(path);
      const upload: StoredUpload = {
        id: newId(),
        organizationId,
        userId: actor.userId,
        file,
        // Sound because the route accepts only these media types.
        format: uploadTypes[mediaType as keyof typeof uploadTypes],
        sizeBytes,
        createdAt: timestamp(clock()),
      };
      await database.write(async (transaction) => {
        // Again, since receiving the file may have taken an hour, in which other files arrived.
        await requirePermissionToChange(transaction, actor, organizationId, 'data_source.manage_files');
        const bytesNow = await findRemainingBytes(dependencies, transaction, noTable);
        if (sizeBytes + space.others() > bytesNow) throw quotaExceeded(dependencies);
        await insertUpload(transaction, upload);
      });
      return toUpload(upload);
    } catch (error) {
      if (!mayBeStored(error)) await files.remove(path);
      throw error;
    }
  });
}

/** Returns an upload of the actor, and the path of its file. Throws `not_found` and `forbidden`. */
export async function requireUpload(
  { database, clock, files }: Pick<UploadsDependencies, 'database' | 'clock' | 'files'>,
  actor: Actor,
  id: string,
): Promise<StoredUpload & { readonly path: string }> {
  const upload = await findUpload(database, clock, { id, userId: actor.userId });
  if (upload === undefined) throw notFound();
  await requirePermission(database, actor, upload.organizationId, 'data_source.manage_files');
  return { ...upload, path: join(directoryOf(files, upload.organizationId), upload.file) };
}

/** Returns what importing an upload would create. Throws `unreadable_file`. */
export async function previewUpload(
  dependencies: UploadsDependencies,
  actor: Actor,
  { id, options = {} }: { readonly id: string; readonly options: ChosenOptions | undefined },
  signal: AbortSignal,
): Promise<ImportPreview> {
  const { engine, files } = dependencies;
  const { organizationId, format, path, sizeBytes } = await requireUpload(dependencies, actor, id);
  requireColumnNames(options);
  await files.remote?.require({ path, sizeBytes });
  const tempDirectory = temporaryDirectory(files.directory, organizationId);
  const request = { organizationId, requesterIds: [actor.userId], inputFile: path, format, tempDirectory };
  return engine.previewFile({ ...request, options }, { signal }).catch((error: unknown) => {
    throw toQueryProblem(error);
  });
}

/** Deletes an upload. Throws `not_found`. */
export async function deleteUpload(
  dependencies: UploadsDependencies,
  actor: Actor,
  id: string,
): Promise<void> {
  const { path } = await requireUpload(dependencies, actor, id);
  await dependencies.database.write((transaction) => deleteUploadRow(transaction, id));
  await dependencies.files.remove(path);
}

const toUpload = ({ id, organizationId, format, sizeBytes, createdAt }: StoredUpload): Upload => ({
  id,
  organizationId,
  format,
  sizeBytes,
  expiresAt: timestamp(Date.parse(createdAt) + uploadExpiresMs),
});

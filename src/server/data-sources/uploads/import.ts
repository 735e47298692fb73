import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import type { ImportInput } from '#contract/data-sources/uploads.ts';
import type { Actor } from '../../base/actor.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
import { timestamp } from '../../base/clock.ts';
import { invalidFaults, mayBeStored, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { toQueryProblem } from '../../engine/problem.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import type { Transaction } from '../../storage/database.ts';
import { requireDataSource, requireDataSourceToChange } from '../access.ts';
import { addDataSource } from '../data-sources.ts';
import { newFileName, sourceDirectory, temporaryDirectory } from '../tables/files.ts';
import { findRemainingBytes, quotaExceeded } from '../tables/upload-quota.ts';
import { findReplaced, storeTable } from '../tables/upload.ts';
import { requireTableName, requireUploads, toSourceTable } from '../tables/uploaded.ts';
import { requireColumnNames } from './options.ts';
import { deleteUploadRow } from './store.ts';
import { requireUpload, type UploadsDependencies } from './uploads.ts';

/**
 * Imports an upload as a table of a source that exists, or of a new one, and deletes the upload. Editor or higher. Throws
 * `unreadable_file` with every fault of the file.
 */
export async function importUpload(
  dependencies: UploadsDependencies,
  actor: Actor,
  { id, table: name, options = {}, skipsFaults = false, ...target }: ImportInput & { readonly id: string },
  signal: AbortSignal,
): Promise<{ readonly dataSourceId: string; readonly table: SourceTable }> {
  const { database, clock, engine, files, slots } = dependencies;
  const upload = await requireUpload(dependencies, actor, id);
  const { organizationId, format, path } = upload;
  requireOneTarget(target);
  requireColumnNames(options);
  requireTableName(name);
  const dataSourceId = target.dataSourceId ?? newId();
  if (target.dataSourceId !== undefined) {
    const source = await requireDataSource(database, actor, dataSourceId, 'data_source.edit_files');
    requireUploads(source);
    if (source.organizationId !== organizationId) throw notFound();
    await findReplaced(database, dataSourceId, name);
  }
  await files.remote?.require(upload);
  const key = { organizationId, dataSourceId, name };
  const remainingBytes = await findRemainingBytes(dependencies, database, key);
  const directory = sourceDirectory(files.directory, organizationId, dataSourceId);
  const file = newFileName('duckdb');
  const outputFile = join(directory, file);

  async function store(
    transaction: Transaction,
    table: Parameters<typeof storeTable>[3]['table'],
    otherBytes: number,
  ) {
    if ((await deleteUploadRow(transaction, id)) === 0) throw notFound();
    const now = timestamp(clock());
    if (target.newSourceName === undefined) {
      const source = await requireDataSourceToChange(
        transaction,
        actor,
        dataSourceId,
        'data_source.edit_files',
      );
      return storeTable(transaction, dependencies, actor, { source, table, otherBytes });
    }
    await requirePermission(transaction, actor, organizationId, 'data_source.manage_files');
    const source = { id: dataSourceId, organizationId, name: target.newSourceName, kind: 'files' } as const;
    const more = { connection: undefined, password: undefined, createdAt: now, updatedAt: now };
    await addDataSource(transaction, clock, actor, { ...source, ...more });
    return storeTable(transaction, dependencies, actor, { source, table, otherBytes });
  }

  return slots.use(keyOfOrganization(organizationId), async (space) => {
    try {
      await mkdir(directory, { recursive: true });
      const request = { organizationId, requesterIds: [actor.userId], inputFile: path, format };
      const tempDirectory = temporaryDirectory(files.directory, organizationId);
      const maxBytes = remainingBytes - space.total();
      if (maxBytes <= 0) throw quotaExceeded(dependencies);
      const imported = await engine
        .importFile({ ...request, options, skipsFaults, outputFile, tempDirectory, maxBytes }, { signal })
        .catch((error: unknown) => {
          throw toQueryProblem(error);
        });
      const stored = await files.store(outputFile);
      const table = { dataSourceId, name, file, ...imported, ...stored, createdAt: timestamp(clock()) };
      const replacedPath = await database.write((transaction) => store(transaction, table, space.others()));
      if (replacedPath !== undefined) files.removeLater(replacedPath);
      await files.remove(path);
      return { dataSourceId, table: toSourceTable(table) };
    } catch (error) {
      if (!mayBeStored(error)) {
        await files.remove(outputFile);
        if (target.newSourceName !== undefined) await files.removeDirectory(directory);
      }
      throw error;
    }
  });
}

function requireOneTarget({
  dataSourceId,
  newSourceName,
}: Pick<ImportInput, 'dataSourceId' | 'newSourceName'>): void {
  if ((dataSourceId === undefined) !== (newSourceName === undefined)) return;
  const message = 'must be given, or newSourceName instead, but not both';
  throw invalidFaults([{ pointer: '/dataSourceId', code: 'required', message }]);
}

import { join } from 'node:path';
import type { SourceTable } from '#contract/data-sources.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import type { Database } from '../../storage/database.ts';
import { requireDataSourceToChange } from '../access.ts';
import type { StoredDataSource } from '../store.ts';
import { sourceDirectory, type SourceFiles } from './files.ts';
import { sourceKinds } from '../kinds/registry.ts';
import { deleteTableRow, selectTables, type StoredTable } from './table-store.ts';

/** Only lower case, since SQL doesn't distinguish `Sales` from `sales`, and people might not either. */
const tableName = /^[a-z][a-z0-9_]{0,62}$/;
/** Names in DuckDB's own catalog. */
const reservedNames = /^(duckdb|pg|pragma|sqlite)_|^(information_schema|main|temp|system)$/;

/** Throws `invalid_parameters` unless a table can have the name. */
export function requireTableName(name: string): void {
  const message = !tableName.test(name)
    ? 'must have up to 63 lower-case letters, digits and _, and start with a letter'
    : 'must not be a name that the database uses itself';
  if (tableName.test(name) && !reservedNames.test(name)) return;
  const fault = { pointer: '/table', code: 'table', message };
  throw new AtriumError('invalid_parameters', `The name of the table ${message}.`, { faults: [fault] });
}

/** Throws `not_found` unless tables can be uploaded to a source. */
export function requireUploads({ kind }: StoredDataSource): void {
  if (!sourceKinds[kind].hasUploads)
    throw new AtriumError('not_found', 'This data source has no uploaded tables.');
}

/** Deletes an uploaded table. Editor or higher. Throws `not_found`. */
export async function deleteTable(
  { database, clock, files }: { database: Database; clock: Clock; files: SourceFiles },
  actor: Actor,
  { dataSourceId, table: name }: { readonly dataSourceId: string; readonly table: string },
): Promise<void> {
  const path = await database.write(async (transaction) => {
    const source = await requireDataSourceToChange(
      transaction,
      actor,
      dataSourceId,
      'data_source.manage_files',
    );
    requireUploads(source);
    const { id, organizationId } = source;
    const table = (await selectTables(transaction, id)).find((other) => other.name === name);
    if (table === undefined) throw notFound();
    await deleteTableRow(transaction, table);
    const details = { dataSourceId: id, table: name };
    await recordAudit(transaction, clock, { organizationId, action: 'table.deleted', actor, details });
    return join(sourceDirectory(files.directory, organizationId, id), table.file);
  });
  files.removeLater(path);
}

export const toSourceTable = ({
  name,
  columns,
  rowCount,
}: Pick<StoredTable, 'name' | 'columns' | 'rowCount'>): SourceTable => ({
  schema: 'main',
  name,
  columns: [...columns],
  rowCount,
});

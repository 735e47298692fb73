import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { AtriumError } from '../../base/errors.ts';
import type { StoredDataSource } from '../store.ts';
import { sourceKinds } from '../kinds/registry.ts';
import type { StoredTable } from './table-store.ts';

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

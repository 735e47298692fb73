import type { DataSource, DataSourceKind, SourceTable } from '#contract/data-sources.ts';
import type { Action, Role } from '#shared/permissions.ts';
import { reasonAgainst } from '../ui/text/permission-words.ts';

/** Where the rows of a source are, in words. */
export function placeOf({ kind, connection }: DataSource): string {
  if (kind === 'files') return 'Uploaded files';
  return connection === undefined
    ? 'PostgreSQL'
    : `PostgreSQL · ${connection.database} on ${connection.host}`;
}

const manageActions: Readonly<Record<DataSourceKind, Action>> = {
  files: 'data_source.manage_files',
  postgresql: 'data_source.manage_server',
};

/** Returns why a role does not permit creating and changing a source of a kind; undefined when it does. */
export const reasonAgainstChanging = (kind: DataSourceKind, role: Role): string | undefined =>
  reasonAgainst(manageActions[kind], role);

const counted = new Intl.NumberFormat();

/** How large a table is, in words. */
export function sizeOf({
  columns,
  rowCount,
  fault,
}: Pick<SourceTable, 'columns' | 'rowCount' | 'fault'>): string {
  if (fault !== undefined) return 'cannot be opened';
  const width = `${counted.format(columns.length)} ${columns.length === 1 ? 'column' : 'columns'}`;
  if (rowCount === undefined) return width;
  return `${counted.format(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}, ${width}`;
}

import type { DataSource, DataSourceKind, SourceTable } from '#contract/data-sources.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { mayAs } from '../ui/server-data/session.ts';

/** Where the rows of a source are, in words. */
export function placeOf({ kind, connection }: DataSource): string {
  if (kind === 'files') return 'Uploaded files';
  return connection === undefined
    ? 'PostgreSQL'
    : `PostgreSQL · ${connection.database} on ${connection.host}`;
}

/** Why somebody may not make or change a source of a kind; undefined when they may. */
export function reasonAgainstChanging(kind: DataSourceKind, role: Role | undefined): string | undefined {
  if (kind === 'files')
    return mayAs(role, 'editor') ? undefined : 'Takes the role editor. Ask an admin of the organization.';
  return mayAs(role, 'admin')
    ? undefined
    : 'Takes the role admin: whoever connects a server knows its password.';
}

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

import type { TableReference } from '#shared/models.ts';
import type { Reader } from '../storage/database.ts';
import { findStoredModel, selectModelNames } from './store.ts';

/**
 * Returns whether authors have hidden a column of a table. Without a schema, the name of the table decides. DuckDB ignores case in
 * names, so no other spelling shows a hidden column. Checks no permissions.
 */
export async function findHiddenColumns(
  reader: Reader,
  dataSourceId: string,
  { schema, name }: { readonly schema: string | undefined; readonly name: string },
): Promise<(column: string) => boolean> {
  const isTable = (known: TableReference): boolean =>
    isSameName(known.name, name) && (schema === undefined || isSameName(known.schema, schema));
  const known = await selectModelNames(reader, dataSourceId);
  const hidden = new Set<string>();
  for (const table of known.filter(isTable)) {
    const model = await findStoredModel(reader, dataSourceId, table);
    for (const column of model?.content.columns ?? [])
      if (column.isHidden === true) hidden.add(column.name.toLowerCase());
  }
  return (column) => hidden.has(column.toLowerCase());
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import type { StoredModel } from '#contract/models.ts';
import { listSourceTables } from '../../data-sources/browsing.ts';
import { getDataSource } from '../../data-sources/data-sources.ts';
import { listAllModels } from '../../models/models.ts';
import type { ToolCall, ToolDependencies } from '../tool.ts';

/** A table with what its authors have described, if they have. */
export interface DescribedTable {
  readonly table: SourceTable;
  readonly model: StoredModel | undefined;
}

/** Returns the tables of a data source that the actor may query. Throws `not_found` and `forbidden`. */
export async function listDescribedTables(
  dependencies: ToolDependencies,
  { actor, signal }: ToolCall,
  dataSourceId: string,
): Promise<{ readonly name: string; readonly tables: readonly DescribedTable[] }> {
  const source = await getDataSource(dependencies.database, actor, dataSourceId);
  const [tables, models] = await Promise.all([
    listSourceTables(dependencies, actor, dataSourceId, signal),
    listAllModels(dependencies.database, actor, dataSourceId),
  ]);
  const modelOf = new Map(models.map((model) => [JSON.stringify([model.schema, model.name]), model]));
  return {
    name: source.name,
    tables: tables.map((table) => ({
      table,
      model: modelOf.get(JSON.stringify([table.schema, table.name])),
    })),
  };
}

/** Returns the columns of a table that its authors have not hidden. */
export function shownColumns({ table, model }: DescribedTable): SourceTable['columns'] {
  const hidden = new Set(
    model?.columns?.filter(({ isHidden }) => isHidden === true).map(({ name }) => name.toLowerCase()),
  );
  return table.columns.filter(({ name }) => !hidden.has(name.toLowerCase()));
}

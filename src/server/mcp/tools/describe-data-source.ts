import { Type } from 'typebox';
import { wordsOf } from '../../base/texts/folded-text.ts';
import { dataSourceUrl } from '../addresses.ts';
import { shorten } from '../texts.ts';
import { defineTool } from '../tool.ts';
import { listDescribedTables, shownColumns, type DescribedTable } from './described-tables.ts';
import { Id, Url } from './fields.ts';

const maxTables = 100;
const maxColumnNames = 2_000;
const descriptionLength = 300;

export const describeDataSource = defineTool({
  name: 'describe_data_source',
  title: 'Describe a data source',
  description:
    'Lists the tables of a data source, with what their authors have written about them. Requires permission to query it. Use ' +
    'describe_table for the types of the columns and for examples of rows.',
  scope: 'read',
  input: Type.Object({
    dataSourceId: Id,
    words: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Only tables whose name, description or columns have words that begin with these',
      }),
    ),
  }),
  output: Type.Object({
    dataSource: Type.Object({ id: Type.String(), name: Type.String(), url: Url }),
    tables: Type.Array(
      Type.Object({
        schema: Type.String(),
        name: Type.String(),
        displayName: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
        rowCount: Type.Optional(Type.Integer()),
        columnNames: Type.Array(Type.String()),
        fault: Type.Optional(Type.String({ description: 'Why it cannot be queried' })),
      }),
    ),
    tableCount: Type.Integer(),
    truncated: Type.Optional(Type.String({ description: 'Present if something was left out' })),
  }),
  run: async (dependencies, call, { dataSourceId, words = '' }) => {
    const { name, tables } = await listDescribedTables(dependencies, call, dataSourceId);
    const terms = wordsOf(words);
    const found = tables.filter((table) => matches(terms, table));
    let columnsLeft = maxColumnNames;
    const shown = found.slice(0, maxTables).map((described) => {
      const { table, model } = described;
      const columnNames = shownColumns(described)
        .slice(0, Math.max(0, columnsLeft))
        .map((column) => column.name);
      columnsLeft -= columnNames.length;
      const description = model?.description ?? table.description;
      return {
        schema: table.schema,
        name: table.name,
        ...(model?.displayName !== undefined && { displayName: model.displayName }),
        ...(description !== undefined && { description: shorten(description, descriptionLength) }),
        ...(table.rowCount !== undefined && { rowCount: table.rowCount }),
        columnNames,
        ...(table.fault !== undefined && { fault: table.fault }),
      };
    });
    const isWhole = found.length <= maxTables && columnsLeft > 0;
    return {
      dataSource: { id: dataSourceId, name, url: dataSourceUrl(dependencies.publicUrl, dataSourceId) },
      tables: shown,
      tableCount: found.length,
      ...(!isWhole && {
        truncated: `At most ${maxTables} tables and ${maxColumnNames} names of columns are listed. Search with \`words\`.`,
      }),
    };
  },
});

function matches(terms: readonly string[], described: DescribedTable): boolean {
  if (terms.length === 0) return true;
  const { table, model } = described;
  const words = wordsOf(
    table.name,
    table.description ?? '',
    model?.displayName ?? '',
    model?.description ?? '',
    ...shownColumns(described).map(({ name }) => name),
  );
  return terms.every((term) => words.some((word) => word.startsWith(term)));
}

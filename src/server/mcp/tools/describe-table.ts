import { Type } from 'typebox';
import { columnTypes } from '#shared/columns.ts';
import { AtriumError } from '../../base/errors.ts';
import { parseJson } from '../../base/texts/json.ts';
import { previewSourceTable } from '../../data-sources/browsing.ts';
import type { QueryRows } from '../../engine/worker/messages.ts';
import { dataSourceUrl } from '../addresses.ts';
import { maxResultBytes } from '../rows.ts';
import { shorten } from '../texts.ts';
import { defineTool } from '../tool.ts';
import { listDescribedTables, shownColumns, type DescribedTable } from './described-tables.ts';
import { Id, Name, Url } from './fields.ts';

const maxColumns = 500;
const maxSampleRows = 20;
const descriptionLength = 1_000;
/** Of a value in a row that is only an example. */
const sampleLength = 200;

const Described = { displayName: Type.Optional(Type.String()), description: Type.Optional(Type.String()) };
const Formulas = Type.Optional(
  Type.Array(
    Type.Object({ name: Type.String(), description: Type.Optional(Type.String()), formula: Type.String() }),
  ),
);

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe a table',
  description:
    'Returns the columns of a table with their types and descriptions, its keys, measures that its authors have defined, and the first rows ' +
    'as examples. Requires permission to query the data source.',
  scope: 'read',
  input: Type.Object({
    dataSourceId: Id,
    schema: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'Needed if several have such a table' }),
    ),
    table: Name,
    sampleRows: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxSampleRows, description: 'Default: 5' }),
    ),
  }),
  output: Type.Object({
    dataSource: Type.Object({ id: Type.String(), name: Type.String(), url: Url }),
    schema: Type.String(),
    name: Type.String(),
    ...Described,
    rowCount: Type.Optional(Type.Integer()),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.Enum([...columnTypes]),
        sourceType: Type.String(),
        ...Described,
      }),
    ),
    primaryKey: Type.Optional(Type.Array(Type.String())),
    references: Type.Optional(
      Type.Array(
        Type.Object({
          columns: Type.Array(Type.String()),
          schema: Type.String(),
          table: Type.String(),
          otherColumns: Type.Array(Type.String()),
        }),
      ),
    ),
    dimensions: Formulas,
    measures: Formulas,
    sample: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'Rows by the names of columns. Long values are cut off' }),
    ),
    truncated: Type.Optional(Type.String({ description: 'Present if something was left out' })),
  }),
  run: async (dependencies, call, { dataSourceId, schema, table: tableName, sampleRows = 5 }) => {
    const { name, tables } = await listDescribedTables(dependencies, call, dataSourceId);
    const described = requireTable(tables, { schema, name: tableName });
    const { table, model } = described;
    const all = shownColumns(described);
    const columns = all.slice(0, maxColumns);
    const shown = new Set(columns.map((column) => column.name));
    const modelOf = new Map(model?.columns?.map((column) => [column.name, column]));
    const description = model?.description ?? table.description;
    const primaryKey = model?.primaryKey ?? table.primaryKey;
    const references = [
      ...(model?.relationships ?? []).map(({ columns: own, references: other }) => ({
        columns: own,
        schema: other.schema,
        table: other.name,
        otherColumns: other.columns,
      })),
      ...(table.foreignKeys ?? []),
    ];
    const input = { id: dataSourceId, schema: table.schema, table: table.name };
    const isSampled = sampleRows > 0 && table.fault === undefined;
    return {
      dataSource: { id: dataSourceId, name, url: dataSourceUrl(dependencies.publicUrl, dataSourceId) },
      schema: table.schema,
      name: table.name,
      ...(model?.displayName !== undefined && { displayName: model.displayName }),
      ...(description !== undefined && { description: shorten(description, descriptionLength) }),
      ...(table.rowCount !== undefined && { rowCount: table.rowCount }),
      columns: columns.map((column) => {
        const { displayName, description: ofModel } = modelOf.get(column.name) ?? {};
        const text = ofModel ?? column.description;
        return {
          name: column.name,
          type: column.type,
          sourceType: column.sourceType,
          ...(displayName !== undefined && { displayName }),
          ...(text !== undefined && { description: shorten(text, descriptionLength) }),
        };
      }),
      ...(primaryKey !== undefined && { primaryKey }),
      ...(references.length > 0 && { references: references.slice(0, 100) }),
      ...(model?.dimensions !== undefined && { dimensions: model.dimensions.map(toFormula) }),
      ...(model?.measures !== undefined && { measures: model.measures.map(toFormula) }),
      ...(isSampled && {
        sample: toSample(
          await previewSourceTable(dependencies, call.actor, input, call.signal),
          shown,
          sampleRows,
        ),
      }),
      ...(all.length > columns.length && {
        truncated: `Only ${columns.length} of ${all.length} columns are shown.`,
      }),
    };
  },
});

function requireTable(
  tables: readonly DescribedTable[],
  { schema, name }: { readonly schema: string | undefined; readonly name: string },
): DescribedTable {
  const found = tables.filter(
    ({ table }) => table.name === name && (schema === undefined || table.schema === schema),
  );
  const [first] = found;
  if (first === undefined) {
    throw new AtriumError(
      'not_found',
      'The data source has no such table. List its tables with describe_data_source.',
    );
  }
  if (found.length === 1) return first;
  const schemas = found.slice(0, 20).map(({ table }) => JSON.stringify(table.schema));
  throw new AtriumError('invalid_body', 'Several schemas have such a table.', {
    faults: [{ pointer: '/schema', code: 'required', message: `must be one of ${schemas.join(', ')}` }],
  });
}

const toFormula = ({
  name,
  description,
  formula,
}: {
  name: string;
  description?: string;
  formula: string;
}) => ({
  name,
  ...(description !== undefined && { description: shorten(description, descriptionLength) }),
  formula,
});

/** Returns the first rows, as many as fit, by the names of the columns that are shown. */
function toSample(
  { columns, rowsJson }: QueryRows,
  shown: ReadonlySet<string>,
  count: number,
): Record<string, unknown>[] {
  // Sound because the engine writes rows as arrays; a preview has at most 100.
  const rows = parseJson(Buffer.from(rowsJson).toString('utf8')) as unknown[][];
  const samples = rows
    .slice(0, count)
    .map((row) =>
      Object.fromEntries(
        columns.flatMap(({ name }, index) => (shown.has(name) ? [[name, shortValue(row[index])]] : [])),
      ),
    );
  let bytes = 0;
  return samples.filter((sample) => {
    bytes += Buffer.byteLength(JSON.stringify(sample));
    return bytes <= maxResultBytes / 2;
  });
}

function shortValue(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, sampleLength);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= sampleLength ? value : shorten(text, sampleLength);
}

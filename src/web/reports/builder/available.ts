import type { ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { displayNameOf, findColumnModel, findModel, tableTitle, type TableModel } from '#shared/models.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type {
  ColumnReference,
  QueriedTable,
  QueryStructure,
  TypedColumn,
} from '#shared/query-builder/structure.ts';
import { allColumns, isSummarized } from './up-to.ts';
import type { BuilderDialect } from './content.ts';

/** A column that a step can use. */
export interface AvailableColumn {
  readonly reference: ColumnReference;
  readonly type: ColumnType;
  readonly label: string;
  /** Where it comes from: a table, or the custom columns. */
  readonly origin: string;
  /** Whether lists leave it out. */
  readonly isHidden?: boolean;
  /** Of a dimension of the model that isn't a custom column of the query yet. */
  readonly formula?: string;
}

export const isSameColumn = (one: ColumnReference, other: ColumnReference): boolean =>
  one.name === other.name && one.table === other.table;

/** Returns the columns of the tables of a query in their order, its custom columns, and the dimensions of its first table. */
export function availableColumns(
  structure: QueryStructure,
  dialect: BuilderDialect,
  models: readonly TableModel[] = [],
): AvailableColumn[] {
  const { table, joins = [], customColumns = [] } = structure;
  const custom = customColumns.map(({ name }, index) => ({
    reference: { name },
    type: customType(structure, index, dialect) ?? 'other',
    label: name,
    origin: t('Custom columns'),
  }));
  const added = new Set([...customColumns, ...table.columns].map(({ name }) => name.toLowerCase()));
  const dimensions = (findModel(models, table)?.dimensions ?? []).flatMap(({ name, formula }) => {
    if (added.has(name.toLowerCase())) return [];
    const withDimension = { ...structure, customColumns: [...customColumns, { name, formula }] };
    const type = customType(withDimension, customColumns.length, dialect);
    return type === undefined
      ? []
      : [{ reference: { name }, type, label: name, origin: t('Dimensions'), formula }];
  });
  return [
    ...columnsOf(table, undefined, models),
    ...joins.flatMap(({ as, table: joined }) => columnsOf(joined, as, models)),
    ...custom,
    ...dimensions,
  ];
}

function columnsOf(
  table: QueriedTable,
  as: string | undefined,
  models: readonly TableModel[],
): AvailableColumn[] {
  const model = findModel(models, table);
  const origin = as === undefined || as === table.name ? tableTitle(model, table) : as;
  return table.columns.map(({ name, type }: TypedColumn) => ({
    reference: { ...(as !== undefined && { table: as }), name },
    type,
    label: displayNameOf(model, name),
    origin,
    ...(findColumnModel(model, name)?.isHidden === true && { isHidden: true }),
  }));
}

/** Returns a query with the custom column that a dimension of the model becomes when it is used. */
export function withColumn(
  structure: QueryStructure,
  { reference, formula }: AvailableColumn,
): QueryStructure {
  const { customColumns = [], columns } = structure;
  const { name } = reference;
  return formula === undefined
    ? structure
    : {
        ...structure,
        customColumns: [...customColumns, { name, formula }],
        ...(columns && { columns: [...columns, { name }] }),
      };
}

/** Returns the columns that a query shows without a summary; undefined for those that it shows by default. */
export function shownColumns(
  structure: QueryStructure,
  models: readonly TableModel[],
): readonly ColumnReference[] | undefined {
  const { table, joins = [], customColumns = [] } = structure;
  const columns = [
    ...columnsOf(table, undefined, models),
    ...joins.flatMap(({ as, table: joined }) => columnsOf(joined, as, models)),
  ];
  if (joins.length === 0 && columns.every(({ isHidden }) => isHidden !== true)) return undefined;
  return [
    ...columns.filter(({ isHidden }) => isHidden !== true).map(({ reference }) => reference),
    ...customColumns.map(({ name }) => ({ name })),
  ];
}

/** Whether people chose which columns a query without a summary shows. */
export function hasChosenColumns(structure: QueryStructure, models: readonly TableModel[]): boolean {
  const { columns } = structure;
  if (columns === undefined || isSummarized(structure)) return false;
  const usual = shownColumns(structure, models) ?? allColumns(structure);
  return (
    columns.length !== usual.length ||
    columns.some((column, index) => {
      const other = usual[index];
      return other === undefined || !isSameColumn(column, other);
    })
  );
}

/** Returns the type of a custom column; undefined while its formula has a fault. */
export function customType(
  { table, joins, customColumns = [] }: QueryStructure,
  index: number,
  dialect: BuilderDialect,
): ColumnType | undefined {
  const upTo = customColumns.slice(0, index + 1);
  const last = upTo.at(-1);
  if (last === undefined) return undefined;
  const structure = { table, ...(joins && { joins }), customColumns: upTo, columns: [{ name: last.name }] };
  const generated = generateQuery(structure, dialect);
  return 'query' in generated ? generated.query.columns[0]?.type : undefined;
}

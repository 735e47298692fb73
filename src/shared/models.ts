import type { ValueFormat } from './visualizations/format.ts';

/** A table of a data source. */
export interface TableReference {
  readonly schema: string;
  readonly name: string;
}

/** The description of a table, which authors write once for everybody who queries it. Its columns needn't exist: tables change. */
export interface TableModel extends TableReference {
  readonly displayName?: string;
  readonly description?: string;
  /** The columns that are described, in any order. */
  readonly columns?: readonly ColumnModel[];
  /** The columns that identify a row. */
  readonly primaryKey?: readonly string[];
  readonly relationships?: readonly Relationship[];
  readonly dimensions?: readonly Dimension[];
  readonly measures?: readonly ModelMeasure[];
}

export interface ColumnModel {
  /** As the source names it. */
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  /** Whether pages leave the column out of their lists. Queries can still use it. */
  readonly isHidden?: boolean;
  readonly format?: ValueFormat;
}

/** A reference from the rows of a table to at most one row each of another table, or of the same one. */
export interface Relationship {
  /** Unique among the relationships of a table. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly references: TableReference & {
    /** As many as the relationship has `columns`, in the same order. */
    readonly columns: readonly string[];
  };
}

interface NamedFormula {
  /** Unique among the dimensions and measures of a table, ignoring case. */
  readonly name: string;
  readonly description?: string;
  readonly formula: string;
  readonly format?: ValueFormat;
}

/** A value that is computed for each row: see `CustomColumn`. */
export type Dimension = NamedFormula;

/** A value that is computed from the rows of a group, with aggregates: see `Measure` of the query builder. */
export type ModelMeasure = NamedFormula;

export const isSameTable = (one: TableReference, other: TableReference): boolean =>
  one.name === other.name && one.schema === other.schema;

export const findModel = <Model extends TableModel>(
  models: readonly Model[],
  table: TableReference,
): Model | undefined => models.find((model) => isSameTable(model, table));

export const findColumnModel = (model: TableModel | undefined, column: string): ColumnModel | undefined =>
  model?.columns?.find(({ name }) => name === column);

/** Returns the display name of a table, or else its name. */
export const tableTitle = (model: TableModel | undefined, table: Pick<TableReference, 'name'>): string =>
  model?.displayName ?? table.name;

/** Returns the display name of a column, or else its name. */
export const displayNameOf = (model: TableModel | undefined, column: string): string =>
  findColumnModel(model, column)?.displayName ?? column;

/** Returns the columns of a table that aren't hidden, in the order of the table. */
export function visibleColumns<Column extends { readonly name: string }>(
  model: TableModel | undefined,
  columns: readonly Column[],
): Column[] {
  return columns.filter(({ name }) => findColumnModel(model, name)?.isHidden !== true);
}

/** A table that can be joined to another one, along a relationship that one of them has. */
export interface JoinableTable {
  /** The name of the relationship. */
  readonly name: string;
  readonly table: TableReference;
  /** Pairs of columns that must be equal; `left` is in the table to which the other one is joined. */
  readonly on: readonly { readonly left: string; readonly right: string }[];
  /** Whether a row may match many rows of the joined table, which repeats the row. */
  readonly isToMany: boolean;
}

/** Returns the tables that can be joined to a table: first those that it refers to, then those that refer to it. */
export function joinableTables(models: readonly TableModel[], table: TableReference): JoinableTable[] {
  const own = findModel(models, table)?.relationships ?? [];
  const toOne = own.map(({ name, columns, references }) => ({
    name,
    table: { schema: references.schema, name: references.name },
    on: columns.map((left, index) => ({ left, right: references.columns[index] ?? '' })),
    isToMany: false,
  }));
  const toMany = models.flatMap((model) =>
    (model.relationships ?? [])
      .filter(({ references }) => isSameTable(references, table))
      .map(({ name, columns, references }) => ({
        name,
        table: { schema: model.schema, name: model.name },
        on: columns.map((right, index) => ({ left: references.columns[index] ?? '', right })),
        isToMany: true,
      })),
  );
  return [...toOne, ...toMany];
}

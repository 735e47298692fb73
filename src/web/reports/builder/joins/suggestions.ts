import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { findNamedKeys } from '#shared/key-names.ts';
import { queriedColumns } from '#shared/query-builder/queried-columns.ts';
import { isSameTable, joinableTables, type TableModel, type TableReference } from '#shared/models.ts';
import type { ColumnReference, Join, QueryStructure } from '#shared/query-builder/structure.ts';
import { uniqueName } from '../names.ts';

/** A table that can be joined along columns that belong together. */
export interface JoinSuggestion {
  readonly table: SourceTable;
  readonly on: Join['on'];
  /** Whether a row may match many rows of the joined table: it is then repeated. Undefined if that isn't known. */
  readonly isToMany: boolean | undefined;
}

/** A table of the query, and what columns of it are called in a join. */
interface Side {
  readonly table: TableReference & Pick<SourceTable, 'columns'>;
  /** The `as` of a join; undefined for the first table. */
  readonly as: string | undefined;
}

/** Returns the joins that keys, models and names of columns suggest, each table and pair of columns once. */
export function suggestJoins(
  structure: QueryStructure,
  tables: readonly SourceTable[],
  models: readonly TableModel[],
): JoinSuggestion[] {
  const sides = sidesOf(structure, tables);
  const found = sides.flatMap((side) => [
    ...byModel(side, tables, models),
    ...byForeignKey(side, tables),
    ...byName(side, tables),
  ]);
  const seen = new Set((structure.joins ?? []).map(({ table, on }) => keyOf(table, on)));
  return found.filter(({ table, on }) => {
    const key = keyOf(table, on);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const keyOf = ({ schema, name }: TableReference, on: Join['on']): string =>
  JSON.stringify([schema, name, on.map(({ left, right }) => [left.table, left.name, right])]);

function sidesOf({ table, joins = [] }: QueryStructure, tables: readonly SourceTable[]): Side[] {
  return [{ table, as: undefined }, ...joins.map((join) => ({ table: join.table, as: join.as }))].flatMap(
    ({ table: queried, as }) => {
      const known = tables.find((one) => isSameTable(one, queried));
      return known === undefined ? [] : [{ table: known, as }];
    },
  );
}

const leftOf = ({ as }: Side, name: string): ColumnReference => ({
  ...(as !== undefined && { table: as }),
  name,
});

const hasColumn = ({ columns }: Pick<SourceTable, 'columns'>, name: string): boolean =>
  columns.some((column) => column.name === name);

function byModel(
  side: Side,
  tables: readonly SourceTable[],
  models: readonly TableModel[],
): JoinSuggestion[] {
  return joinableTables(models, side.table).flatMap(({ table: reference, on, isToMany }) => {
    const table = tables.find((one) => isSameTable(one, reference));
    const fits =
      table !== undefined &&
      on.every(({ left, right }) => hasColumn(side.table, left) && hasColumn(table, right));
    return fits
      ? [{ table, on: on.map(({ left, right }) => ({ left: leftOf(side, left), right })), isToMany }]
      : [];
  });
}

function byForeignKey(side: Side, tables: readonly SourceTable[]): JoinSuggestion[] {
  const own = tables.find((one) => isSameTable(one, side.table));
  const toOne = (own?.foreignKeys ?? []).flatMap((key) => {
    const table = tables.find((one) => isSameTable(one, { schema: key.schema, name: key.table }));
    const on = key.columns.map((left, index) => ({
      left: leftOf(side, left),
      right: key.otherColumns[index] ?? '',
    }));
    return table === undefined ? [] : [{ table, on, isToMany: false }];
  });
  const toMany = tables.flatMap((table) =>
    (table.foreignKeys ?? [])
      .filter((key) => isSameTable(side.table, { schema: key.schema, name: key.table }))
      .map((key) => ({
        table,
        on: key.columns.map((right, index) => ({
          left: leftOf(side, key.otherColumns[index] ?? ''),
          right,
        })),
        isToMany: true,
      })),
  );
  return [...toOne, ...toMany];
}

function byName(side: Side, tables: readonly SourceTable[]): JoinSuggestion[] {
  const own = tables.find((one) => isSameTable(one, side.table));
  if (own === undefined) return [];
  return tables
    .filter((table) => table !== own)
    .flatMap((table): JoinSuggestion[] => [
      ...findNamedKeys(own, table).map(({ column, target, isKey }) => ({
        table,
        on: [{ left: leftOf(side, column), right: target }],
        isToMany: isKey ? false : undefined,
      })),
      ...findNamedKeys(table, own).map(({ column, target }) => ({
        table,
        on: [{ left: leftOf(side, target), right: column }],
        isToMany: true,
      })),
    ]);
}

/** Returns a join with a table. Without `on`, people choose the columns. */
export function newJoin(
  { joins = [], table: first }: QueryStructure,
  { schema, name, columns }: SourceTable,
  on: Join['on'],
): Join {
  const taken = [first.name, ...joins.map(({ as }) => as)];
  return {
    kind: 'left',
    table: { schema, name, columns: queriedColumns(columns) },
    as: uniqueName(name, taken).replaceAll(' ', '_'),
    on,
  };
}

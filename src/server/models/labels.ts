import type { ColumnLabel } from '#contract/models.ts';
import {
  findColumnModel,
  findModel,
  isSameTable,
  type TableModel,
  type TableReference,
} from '#shared/models.ts';
import type { ColumnReference, Measure, QueryStructure } from '#shared/query-builder/structure.ts';
import { scanSql } from '#shared/sql/scanner.ts';
import type { Reader } from '../storage/database.ts';
import { findStoredModel, selectModelNames } from './store.ts';

/** A query, with the structure that it was built from, if any. */
export interface LabelledQuery {
  readonly dataSourceId: string;
  readonly query: string;
  readonly structure?: QueryStructure | undefined;
}

/** A display name and a format, before it is known which column of a result gets them. */
interface Label {
  readonly displayName?: ColumnLabel['displayName'] | undefined;
  readonly format?: ColumnLabel['format'] | undefined;
}

/**
 * Returns the models of the tables that a query names. Reads only the names of the others, since a data source can have many.
 * Checks no permissions: labels are for all who may read the result.
 */
export async function findModelsOfQuery(
  reader: Reader,
  { dataSourceId, query, structure }: LabelledQuery,
): Promise<TableModel[]> {
  const known = await selectModelNames(reader, dataSourceId);
  if (known.length === 0) return [];
  const isNamed = structure === undefined ? namedInSql(query) : namedIn(structure);
  const models: TableModel[] = [];
  for (const table of known.filter(isNamed)) {
    const found = await findStoredModel(reader, dataSourceId, table);
    if (found !== undefined) models.push({ ...table, ...found.content });
  }
  return models;
}

const namedIn =
  ({ table, joins = [] }: QueryStructure) =>
  (known: TableReference): boolean =>
    [table, ...joins.map((join) => join.table)].some((one) => isSameTable(one, known));

/** The words of the SQL outside of texts and comments, in lower case. */
function namedInSql(query: string): (known: TableReference) => boolean {
  const code = scanSql(query)
    .filter(({ kind }) => kind === 'code' || kind === 'identifier')
    .map(({ start, end }) => query.slice(start, end).toLowerCase());
  const words = new Set([...code, ...code.flatMap((part) => part.split(/[^\p{L}\p{N}_$]+/u))]);
  return ({ name }) => {
    const lower = name.toLowerCase();
    return words.has(lower) || words.has(`"${lower.replaceAll('"', '""')}"`);
  };
}

/**
 * Returns the display names and formats of the columns of a result: exactly for a built query, and for SQL those of the only
 * described column that has the name.
 */
export function labelColumns(
  { structure }: Pick<LabelledQuery, 'structure'>,
  models: readonly TableModel[],
  columns: readonly { readonly name: string }[],
): ColumnLabel[] {
  if (models.length === 0) return [];
  const built = structure && labelsOfStructure(structure, models);
  // The structure of a report always generates its query, unless its tables have changed since.
  const labels = built?.length === columns.length ? built : labelsByName(models, columns);
  return columns.flatMap(({ name: column }, index) => {
    const { displayName, format } = labels[index] ?? {};
    if (displayName === undefined && format === undefined) return [];
    return [
      { column, ...(displayName !== undefined && { displayName }), ...(format !== undefined && { format }) },
    ];
  });
}

/** Takes time that is linear in the models, of which there can be megabytes. */
function labelsByName(
  models: readonly TableModel[],
  columns: readonly { readonly name: string }[],
): (Label | undefined)[] {
  const found = new Map(columns.map(({ name }) => [name, new Map<string, Label>()]));
  for (const model of models) {
    // A column has precedence over a formula of the same name.
    const described = new Map(
      [...formulasOf(model), ...(model.columns ?? [])].map((one) => [one.name, labelOf(one)]),
    );
    for (const [name, label] of described) found.get(name)?.set(JSON.stringify(label), label);
  }
  return columns.map(({ name }) => {
    const [label, ...others] = found.get(name)?.values() ?? [];
    return others.length === 0 ? label : undefined;
  });
}

const formulasOf = ({ dimensions = [], measures = [] }: TableModel) => [...dimensions, ...measures];

const labelOf = ({ displayName, format }: Label): Label => ({
  ...(displayName !== undefined && { displayName }),
  ...(format !== undefined && { format }),
});

/** Returns the label of each column of the result of a built query, in their order. */
function labelsOfStructure(structure: QueryStructure, models: readonly TableModel[]): Label[] {
  const { table, joins = [], customColumns = [], columns, groups = [], measures = [] } = structure;

  function ofColumn({ table: as, name }: ColumnReference): Label {
    const custom = as === undefined ? customColumns.find((one) => one.name === name) : undefined;
    if (custom !== undefined) return { format: formatOfFormula(models, custom) };
    const reference = as === undefined ? table : joins.find((join) => join.as === as)?.table;
    const model = reference && findModel(models, reference);
    return findColumnModel(model, name) ?? {};
  }

  function ofMeasure(measure: Measure): Label {
    if (measure.comparison === 'share_of_total' || measure.comparison === 'percent_change') return {};
    if (measure.aggregate === 'formula') return { format: formatOfFormula(models, measure) };
    if (measure.aggregate === 'count' || measure.aggregate === 'count_distinct') return {};
    return { format: ofColumn(measure.column).format };
  }

  if (groups.length === 0 && measures.length === 0) {
    const shown = columns ?? [...table.columns, ...customColumns].map(({ name }) => ({ name }));
    return shown.map((reference) => labelOf(ofColumn(reference)));
  }
  return [
    ...groups.map(({ column, name, granularity, binWidth }) => {
      const { displayName, format } = ofColumn(column);
      const isWhole = granularity === undefined && binWidth === undefined;
      return labelOf({ ...(name === undefined && { displayName }), ...(isWhole && { format }) });
    }),
    ...measures.map((measure) => labelOf(ofMeasure(measure))),
  ];
}

const formatOfFormula = (
  models: readonly TableModel[],
  { name, formula }: { readonly name: string; readonly formula: string },
): Label['format'] =>
  models.flatMap(formulasOf).find((one) => one.name === name && one.formula === formula)?.format;

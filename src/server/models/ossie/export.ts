import type { TableModel } from '#contract/models.ts';
import { quoteIfNeeded } from '#shared/sql/names.ts';
import {
  ossieVersion,
  vendor,
  type CustomExtensions,
  type OssieDataset,
  type OssieDocument,
  type OssieField,
  type OssieMetric,
} from './schema.ts';
import { sqlOfFormula } from './sql-of-formula.ts';

type NamedFormula = NonNullable<TableModel['measures']>[number];

/** A document, and everything that only this server understands of it, in sentences. */
export interface OssieExport {
  readonly document: OssieDocument;
  readonly notes: readonly string[];
}

/** Returns the models of a data source as a semantic model of Apache Ossie, in the order of the models. */
export function toOssie(name: string, models: readonly TableModel[]): OssieExport {
  const notes: string[] = [];
  const datasetNames = namesOfDatasets(models);
  const nameOf = ({ schema, name: table }: Pick<TableModel, 'schema' | 'name'>): string =>
    datasetNames.get(JSON.stringify([schema, table])) ?? table;
  const described = models.map((model) => toDataset(model, nameOf(model), notes));
  const known = new Set(described.map(({ dataset }) => dataset.name));
  // A relationship must name datasets of the document.
  const referenced = models.flatMap(({ relationships = [] }) =>
    relationships.map(({ references }) => references),
  );
  const bare = new Map(
    referenced
      .filter((reference) => !known.has(nameOf(reference)))
      .map((reference) => [nameOf(reference), { name: nameOf(reference), source: sourceOf(reference) }]),
  );
  const metricNames = new Set<string>();
  const metrics = described.flatMap(({ metrics }) =>
    metrics.map((metric) => withUniqueName(metric, metricNames)),
  );
  const relationships = models.flatMap((model) =>
    (model.relationships ?? []).map(({ name: own, columns, references }) => ({
      name: `${nameOf(model)}.${own}`,
      from: nameOf(model),
      to: nameOf(references),
      from_columns: columns,
      to_columns: references.columns,
      custom_extensions: extension({ name: own }),
    })),
  );
  const document: OssieDocument = {
    version: ossieVersion,
    semantic_model: [
      {
        name,
        datasets: [...described.map(({ dataset }) => dataset), ...bare.values()],
        ...(relationships.length > 0 && { relationships }),
        ...(metrics.length > 0 && { metrics }),
      },
    ],
  };
  return { document, notes };
}

/** Returns the name of each table that the models are about or refer to; with its schema if another schema has the name too. */
function namesOfDatasets(models: readonly TableModel[]): ReadonlyMap<string, string> {
  const tables = models.flatMap((model) => [
    model,
    ...(model.relationships ?? []).map(({ references }) => references),
  ]);
  const keys = new Map(tables.map(({ schema, name }) => [JSON.stringify([schema, name]), { schema, name }]));
  const schemas = new Map<string, number>();
  for (const { name } of keys.values()) schemas.set(name, (schemas.get(name) ?? 0) + 1);
  return new Map(
    [...keys].map(([key, { schema, name }]) => [
      key,
      (schemas.get(name) ?? 0) > 1 ? `${schema}.${name}` : name,
    ]),
  );
}

const sourceOf = ({ schema, name }: Pick<TableModel, 'schema' | 'name'>): string =>
  `${quoteIfNeeded(schema)}.${quoteIfNeeded(name)}`;

function toDataset(
  model: TableModel,
  name: string,
  notes: string[],
): { readonly dataset: OssieDataset; readonly metrics: readonly OssieMetric[] } {
  const { displayName, description, columns = [], primaryKey, dimensions = [], measures = [] } = model;
  const columnFields = columns.map(
    ({ name: column, displayName: label, description: text, isHidden, format }) => {
      if (isHidden === true) notes.push(`${name}: Ossie can’t hide the column ${column}.`);
      if (format !== undefined) notes.push(`${name}: Ossie has no format for the column ${column}.`);
      return {
        name: column,
        expression: inSql(quoteIfNeeded(column)),
        ...(label !== undefined && { label }),
        ...(text !== undefined && { description: text }),
        ...(Object.keys({ ...(isHidden && { isHidden }), ...(format && { format }) }).length > 0 && {
          custom_extensions: extension({ ...(isHidden && { isHidden }), ...(format && { format }) }),
        }),
      };
    },
  );
  const kept: { dimensions: NamedFormula[]; measures: NamedFormula[] } = { dimensions: [], measures: [] };
  const fields: OssieField[] = dimensions.flatMap((dimension) => {
    const sql = sqlOfFormula(dimension.formula);
    const isTaken = columns.some((column) => column.name === dimension.name);
    if (sql === undefined || isTaken) {
      kept.dimensions.push(dimension);
      notes.push(
        `${name}: the dimension ${dimension.name} has no equal in standard SQL: only Atrium will read it.`,
      );
      return [];
    }
    return [{ ...toExpression(dimension, sql), custom_extensions: extension(rest(dimension)) }];
  });
  const metrics = measures.flatMap((measure) => {
    const sql = sqlOfFormula(measure.formula, name);
    if (sql === undefined) {
      kept.measures.push(measure);
      notes.push(
        `${name}: the measure ${measure.name} has no equal in standard SQL: only Atrium will read it.`,
      );
      return [];
    }
    const own = { dataset: name, name: measure.name, ...rest(measure) };
    return [{ ...toExpression(measure, sql), custom_extensions: extension(own) }];
  });
  const own = {
    ...(displayName !== undefined && { displayName }),
    ...(kept.dimensions.length > 0 && { dimensions: kept.dimensions }),
    ...(kept.measures.length > 0 && { measures: kept.measures }),
  };
  if (displayName !== undefined)
    notes.push(`${name}: Ossie has no display name of a table (“${displayName}”).`);
  const dataset = {
    name,
    source: sourceOf(model),
    ...(primaryKey !== undefined && { primary_key: primaryKey }),
    ...(description !== undefined && { description }),
    ...(columnFields.length + fields.length > 0 && { fields: [...columnFields, ...fields] }),
    ...(Object.keys(own).length > 0 && { custom_extensions: extension(own) }),
  };
  return { dataset, metrics };
}

const inSql = (expression: string): OssieField['expression'] => ({
  dialects: [{ dialect: 'ANSI_SQL', expression }],
});

const toExpression = ({ name, description }: NamedFormula, sql: string): OssieMetric => ({
  name,
  expression: inSql(sql),
  ...(description !== undefined && { description }),
});

/** What a formula has besides its standard parts. */
const rest = ({ formula, format }: NamedFormula) => ({ formula, ...(format !== undefined && { format }) });

const extension = (data: object): CustomExtensions => [{ vendor_name: vendor, data: JSON.stringify(data) }];

/** Metrics share one list, whose names must differ. */
function withUniqueName(metric: OssieMetric, taken: Set<string>): OssieMetric {
  let { name } = metric;
  for (let count = 2; taken.has(name); count += 1) name = `${metric.name} ${count}`;
  taken.add(name);
  return { ...metric, name };
}

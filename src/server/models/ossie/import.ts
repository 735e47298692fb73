import { NamedFormula, type TableModel } from '#contract/models.ts';
import { ValueFormat } from '#contract/reports/visualizations/parts.ts';
import { guardOf } from '#contract/validation/fault-finder.ts';
import { parseJson } from '../../base/texts/json.ts';
import { formulaOfSql } from './formula-of-sql.ts';
import {
  vendor,
  type CustomExtensions,
  type OssieDataset,
  type OssieDocument,
  type OssieField,
  type OssieMetric,
  type OssieModel,
} from './schema.ts';
import { sqlOfFormula } from './sql-of-formula.ts';

const isFormula = guardOf(NamedFormula);
const isValueFormat = guardOf(ValueFormat);

type Formula = NonNullable<TableModel['measures']>[number];
type Column = NonNullable<TableModel['columns']>[number];

/** Models, and everything of the document that they don't have, in sentences. */
export interface OssieImport {
  readonly models: readonly TableModel[];
  readonly notes: readonly string[];
}

/** Returns the models that a document of Apache Ossie describes. Tables without a schema are in `defaultSchema`. */
export function fromOssie(
  { semantic_model: semanticModels }: OssieDocument,
  defaultSchema: string,
): OssieImport {
  const notes: string[] = [];
  const models = semanticModels.flatMap((model) => fromSemanticModel(model, defaultSchema, notes));
  const isDescribed = ({ schema: _schema, name: _name, ...content }: TableModel) =>
    Object.keys(content).length > 0;
  return { models: models.filter(isDescribed), notes };
}

function fromSemanticModel(model: OssieModel, defaultSchema: string, notes: string[]): TableModel[] {
  noteUnread(model, `the semantic model ${model.name}`, ['datasets', 'relationships', 'metrics'], notes);
  if (model.description !== undefined)
    notes.push(`Left out: the description of the semantic model ${model.name}.`);
  const tables = new Map<string, TableModel>();
  for (const dataset of model.datasets) {
    const table = tableOf(dataset.source, defaultSchema);
    if (table === undefined) notes.push(`Left out: the dataset ${dataset.name}, whose source isn’t a table.`);
    else tables.set(dataset.name, fromDataset(dataset, table, notes));
  }
  for (const relationship of model.relationships ?? []) {
    const [from, to] = [tables.get(relationship.from), tables.get(relationship.to)];
    const { from_columns: columns, to_columns: otherColumns } = relationship;
    if (from === undefined || to === undefined || columns.length !== otherColumns.length) {
      notes.push(`Left out: the relationship ${relationship.name}, whose datasets or columns don’t fit.`);
      continue;
    }
    noteUnread(
      relationship,
      `the relationship ${relationship.name}`,
      ['from', 'to', 'from_columns', 'to_columns'],
      notes,
    );
    const { name } = ownData(relationship.custom_extensions);
    (from.relationships ??= []).push({
      name: typeof name === 'string' ? name : relationship.name.slice(0, 200),
      columns,
      references: { schema: to.schema, name: to.name, columns: otherColumns },
    });
  }
  for (const metric of model.metrics ?? []) addMetric(metric, tables, notes);
  return [...tables.values()];
}

/** Returns the table that a source names as `schema.table`, also after a database; undefined for a query. */
function tableOf(source: string, defaultSchema: string): Pick<TableModel, 'schema' | 'name'> | undefined {
  const names = splitIdentifiers(source.trim());
  if (names === undefined || names.length > 3 || names.some(({ length }) => length === 0 || length > 200))
    return undefined;
  const [name = '', schema = defaultSchema] = names.toReversed();
  return { schema, name };
}

/** Returns the parts of a name with dots, in quotes or not; undefined if it is something else, such as a query. */
function splitIdentifiers(text: string): string[] | undefined {
  const names: string[] = [];
  let position = 0;
  do {
    // After a name with quotes inside, such as "a""b", the next token is in quotes, too.
    let name = '';
    let isQuoted = false;
    for (; text[position] === '"'; isQuoted = true) {
      const end = text.indexOf('"', position + 1);
      if (end < 0) return undefined;
      name += `${isQuoted ? '"' : ''}${text.slice(position + 1, end)}`;
      position = end + 1;
    }
    if (!isQuoted) {
      name = /^[^".\s()]*/.exec(text.slice(position))?.[0] ?? '';
      position += name.length;
    }
    names.push(name);
  } while (text[position++] === '.' && names.length <= 3);
  return position > text.length ? names : undefined;
}

function fromDataset(
  dataset: OssieDataset,
  table: Pick<TableModel, 'schema' | 'name'>,
  notes: string[],
): TableModel {
  noteUnread(dataset, `the dataset ${dataset.name}`, ['source', 'primary_key', 'fields'], notes);
  const own = ownData(dataset.custom_extensions);
  const columns: Column[] = [];
  const dimensions: Formula[] = [];
  for (const field of dataset.fields ?? []) {
    const place = `the field ${field.name} of ${dataset.name}`;
    const translated = translate(field, undefined);
    if (translated === undefined) {
      notes.push(`Left out: ${place}, whose expression no formula can express.`);
      continue;
    }
    noteUnread(field, place, ['expression', 'label'], notes);
    const column = /^\[((?:[^\]]|\]\])*)\]$/.exec(translated.formula)?.[1]?.replaceAll(']]', ']');
    if (column !== undefined && translated.own.formula === undefined)
      columns.push(toColumn(field, column, notes));
    else dimensions.push(toFormula(field, translated, field.name));
  }
  return {
    ...table,
    ...(typeof own['displayName'] === 'string' && { displayName: own['displayName'] }),
    ...(dataset.description !== undefined && { description: dataset.description }),
    ...(columns.length > 0 && { columns }),
    ...(dataset.primary_key !== undefined && { primaryKey: dataset.primary_key }),
    ...listed('dimensions', [...dimensions, ...formulasIn(own['dimensions'])]),
    ...listed('measures', formulasIn(own['measures'])),
  };
}

const listed = (name: 'dimensions' | 'measures', formulas: readonly Formula[]) =>
  formulas.length === 0 ? {} : { [name]: formulas };

const formulasIn = (value: unknown): Formula[] =>
  Array.isArray(value) ? value.filter((one): one is Formula => isFormula(one)) : [];

function toColumn(field: OssieField, column: string, notes: string[]): Column {
  const { isHidden, format } = ownData(field.custom_extensions);
  // A field of another name is what its author calls the column.
  const label = field.label ?? (field.name === column ? undefined : field.name);
  if (field.label !== undefined && field.name !== column)
    notes.push(`Left out: the name ${field.name} of the column ${column}, which is called ${field.label}.`);
  return {
    name: column,
    ...(label !== undefined && label !== '' && { displayName: label.slice(0, 200) }),
    ...(field.description !== undefined && { description: field.description }),
    ...(isHidden === true && { isHidden }),
    ...(isValueFormat(format) && { format }),
  };
}

interface TranslatedFormula {
  readonly formula: string;
  readonly tables: readonly string[];
  readonly own: Readonly<Record<string, unknown>>;
}

/** Returns the formula of a field or metric: the one it was exported from, unless its expression was edited since. */
function translate(
  { expression, custom_extensions: extensions }: OssieField | OssieMetric,
  table: string | undefined,
): TranslatedFormula | undefined {
  const own = ownData(extensions);
  const sql = expression.dialects.find(({ dialect }) => dialect === 'ANSI_SQL')?.expression;
  const exported = own['formula'];
  if (sql !== undefined && typeof exported === 'string' && sqlOfFormula(exported, table) === sql)
    return { formula: exported, tables: table === undefined ? [] : [table], own };
  const translated = sql === undefined ? undefined : formulaOfSql(sql);
  return translated && { ...translated, own };
}

const toFormula = (
  { description }: OssieField | OssieMetric,
  { formula, own }: TranslatedFormula,
  name: string,
): Formula => ({
  name: name.slice(0, 63),
  ...(description !== undefined && { description }),
  formula,
  ...(isValueFormat(own['format']) && { format: own['format'] }),
});

/** Adds a metric to the table that its columns are in. */
function addMetric(metric: OssieMetric, tables: ReadonlyMap<string, TableModel>, notes: string[]): void {
  const { dataset, name } = ownData(metric.custom_extensions);
  const translated = translate(metric, typeof dataset === 'string' ? dataset : undefined);
  const [only] = tables.size === 1 ? tables.keys() : [];
  const named =
    translated === undefined || translated.tables.length > 1
      ? undefined
      : (translated.tables[0] ?? dataset ?? only);
  const model = typeof named === 'string' ? tables.get(named) : undefined;
  if (translated === undefined || model === undefined) {
    const reason =
      translated === undefined
        ? 'whose expression no formula can express'
        : 'which isn’t about exactly one dataset';
    notes.push(`Left out: the metric ${metric.name}, ${reason}.`);
    return;
  }
  noteUnread(metric, `the metric ${metric.name}`, ['expression'], notes);
  (model.measures ??= []).push(toFormula(metric, translated, typeof name === 'string' ? name : metric.name));
}

/** Returns what this server stored in a part of a document; an empty object if it is another's. */
function ownData(extensions: CustomExtensions | undefined): Readonly<Record<string, unknown>> {
  const data = extensions?.find(({ vendor_name: name }) => name === vendor)?.data;
  if (data === undefined) return {};
  try {
    const value: unknown = parseJson(data);
    // Each member is checked where it is used.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Notes the members of a part that models don't have, and the extensions of others. */
function noteUnread(part: object, place: string, read: readonly string[], notes: string[]): void {
  const known = new Set(['name', 'description', 'custom_extensions', ...read]);
  for (const member of Object.keys(part))
    if (!known.has(member)) notes.push(`Left out: ${member} of ${place}.`);
  const { custom_extensions: extensions = [] } = part as { custom_extensions?: CustomExtensions };
  for (const { vendor_name: name } of extensions)
    if (name !== vendor) notes.push(`Left out: the extension ${name} of ${place}.`);
}

import type { TableModel } from '#contract/models.ts';
import type { Fault } from '#contract/problem.ts';
import { parseFormula } from '#shared/query-builder/formula/parser.ts';

/** What is stored of a model, besides the name of its table. */
export type ModelContent = Omit<TableModel, 'schema' | 'name'>;

type Column = NonNullable<TableModel['columns']>[number];
type Relationship = NonNullable<TableModel['relationships']>[number];
type NamedFormula = NonNullable<TableModel['measures']>[number];
type Format = NonNullable<Column['format']>;

/**
 * Returns the content of a model without unknown fields, and without what has no effect, such as an empty list. Equal models
 * have the same JSON.
 */
export function toContent(model: TableModel): ModelContent {
  const { displayName, description, columns, primaryKey, relationships, dimensions, measures } = model;
  return present({
    displayName,
    description: description === '' ? undefined : description,
    columns: list(columns?.map(toColumn).filter((column) => Object.keys(column).length > 1)),
    primaryKey: list(primaryKey),
    relationships: list(relationships?.map(toRelationship)),
    dimensions: list(dimensions?.map(toFormula)),
    measures: list(measures?.map(toFormula)),
  });
}

const toColumn = ({ name, displayName, description, isHidden, format }: Column): Column => ({
  name,
  ...present({
    displayName,
    description: description === '' ? undefined : description,
    isHidden: isHidden === true ? true : undefined,
    format: format && toFormat(format),
  }),
});

const toRelationship = ({ name, columns, references }: Relationship): Relationship => ({
  name,
  columns,
  references: { schema: references.schema, name: references.name, columns: references.columns },
});

const toFormula = ({ name, description, formula, format }: NamedFormula): NamedFormula => ({
  name,
  ...present({ description: description === '' ? undefined : description }),
  formula,
  ...present({ format: format && toFormat(format) }),
});

const toFormat = ({ kind, currency, decimals, isCompact, prefix, suffix }: Format): Format => ({
  kind,
  ...present({ currency, decimals, isCompact, prefix, suffix }),
});

const list = <Item>(items: Item[] | undefined): Item[] | undefined =>
  items === undefined || items.length === 0 ? undefined : items;

/** Returns an object without its members that are undefined. */
function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  // Sound because only members are left out.
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as typeof members;
}

/** Returns every fault of a model that its schema can't express, with pointers into the model. */
export function findModelFaults(model: TableModel): Fault[] {
  const { columns = [], primaryKey = [], relationships = [], dimensions = [], measures = [] } = model;
  const formulas = [
    ...dimensions.map(({ name }, index) => ({ name, pointer: `/dimensions/${index}/name` })),
    ...measures.map(({ name }, index) => ({ name, pointer: `/measures/${index}/name` })),
  ].map(({ name, pointer }) => ({ name: name.toLowerCase(), pointer }));
  return [
    ...repeated(columns.map(({ name }, index) => ({ name, pointer: `/columns/${index}/name` }))),
    ...repeated(primaryKey.map((name, index) => ({ name, pointer: `/primaryKey/${index}` }))),
    ...repeated(relationships.map(({ name }, index) => ({ name, pointer: `/relationships/${index}/name` }))),
    ...repeated(formulas),
    ...relationships.flatMap((relationship, index) =>
      relationship.columns.length === relationship.references.columns.length
        ? []
        : [
            {
              pointer: `/relationships/${index}/references/columns`,
              code: 'length',
              message: 'must have as many columns as the relationship',
            },
          ],
    ),
    ...dimensions.flatMap(({ formula }, index) => formulaFaults(formula, `/dimensions/${index}/formula`)),
    ...measures.flatMap(({ formula }, index) => formulaFaults(formula, `/measures/${index}/formula`)),
  ];
}

/** Checks only the syntax: the columns that a formula refers to may be added later. */
function formulaFaults(formula: string, pointer: string): Fault[] {
  const parsed = parseFormula(formula);
  return 'fault' in parsed ? [{ pointer, code: 'formula', message: parsed.fault.message }] : [];
}

function repeated(names: readonly { readonly name: string; readonly pointer: string }[]): Fault[] {
  const seen = new Set<string>();
  return names.flatMap(({ name, pointer }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ pointer, code: 'unique', message: 'must not be an earlier name' }];
  });
}

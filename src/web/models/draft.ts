import { hashKey } from '@tanstack/react-query';
import type { ColumnModel, TableModel } from '#shared/models.ts';
import type { DraftKind } from '../drafts/storage.ts';

/** The description of a table, without the table. */
export type ModelContent = Omit<TableModel, 'schema' | 'name'>;

export const modelDrafts: DraftKind<ModelContent> = {
  kind: 'model',
  isSame: (one, other) => one === other || hashKey([present(one)]) === hashKey([present(other)]),
  // To delete everything that was described is a change like any other.
  isBlank: () => false,
  isContent: (value): value is ModelContent => typeof value === 'object' && value !== null,
};

/** Returns the content of a stored model. */
export function contentOf({
  displayName,
  description,
  columns,
  primaryKey,
  relationships,
  dimensions,
  measures,
}: ModelContent): ModelContent {
  return present({
    displayName,
    description,
    columns,
    primaryKey,
    relationships,
    dimensions,
    measures,
  });
}

/** Returns an object without its members that are undefined, empty or false. */
function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const isPresent = (value: unknown) =>
    value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
  // Sound because only members are left out.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isPresent(value))) as Members;
}

/** Returns the model with a column described as `column`; a column without a description is left out. */
export function withColumn(model: ModelContent, column: ColumnModel): ModelContent {
  const { name, ...rest } = column;
  const described = { name, ...present(rest) };
  const columns = model.columns ?? [];
  const isKnown = columns.some((one) => one.name === name);
  const all = isKnown ? columns.map((one) => (one.name === name ? described : one)) : [...columns, described];
  return { ...model, columns: all.filter((one) => Object.keys(one).length > 1) };
}

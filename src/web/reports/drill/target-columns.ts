import type { ColumnType } from '#shared/columns.ts';
import { isNumeric } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import type { ParameterType } from '#shared/parameter-values.ts';
import { findPlaceholders } from '#shared/sql/placeholders.ts';
import type { Result } from './mark-values.ts';

/**
 * Returns the columns that the query of a target refers to, with the types as which their values are bound. A column that the
 * result doesn't have, such as before the first run, keeps the type that it had.
 */
export function columnsOfQuery(
  query: string,
  { columns }: Result,
  before: Readonly<Record<string, ParameterType>>,
): Readonly<Record<string, ParameterType>> {
  const names = new Set(findPlaceholders(query).placeholders.map(({ name }) => name));
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const column = columns.find((one) => one.name === name);
      const type = column === undefined ? before[name] : boundAs(column.type);
      return type === undefined ? [] : [[name, type]];
    }),
  );
}

/** Texts are bound as lists, so that several marks can be selected. */
function boundAs(type: ColumnType): ParameterType {
  if (isNumeric(type)) return 'number';
  if (type === 'boolean' || type === 'date') return type;
  return type === 'datetime' || type === 'instant' ? 'datetime' : 'list';
}

/** Returns how a query refers to the columns of the result, as a hint. */
export function targetColumnsText({ columns }: Result): string {
  const [column] = columns;
  const name = column?.name ?? 'region';
  const isList = column === undefined || boundAs(column.type) === 'list';
  const condition = isList ? `${name} = ANY ({{${name}}})` : `${name} = {{${name}}}`;
  return t('{placeholder} has the value of a column that someone clicked, such as WHERE {condition}.', {
    placeholder: '{{column}}',
    condition,
  });
}

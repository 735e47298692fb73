import { isNumeric, isTemporal, type ColumnType } from '../columns.ts';
import { columnsInTemplate } from './template.ts';

/** What a visualization requires of a column: any type, numbers (`measure`), dates (`date`), or numbers, dates or times (`position`). */
export type Requirement = 'any' | 'measure' | 'position' | 'date';

/**
 * The settings of a kind of visualization that name columns, with what they require of the column: by JSON Pointer, in which `*`
 * stands for every item of a list. A `template` is a text that refers to columns as `{{column}}`.
 */
export type Fields = Readonly<Record<string, Requirement | 'template'>>;

interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

interface Fault {
  pointer: string;
  code: 'column' | 'columnType';
  message: string;
}

/** Whether a column meets a requirement. */
export const meets = ({ type }: Pick<Column, 'type'>, requirement: Requirement): boolean =>
  requirement === 'any' ||
  (requirement !== 'date' && isNumeric(type)) ||
  (requirement !== 'measure' && isTemporal(type)) ||
  (requirement === 'position' && type === 'time');

const requirements: Readonly<Record<Requirement, string>> = {
  any: 'may be of any type',
  measure: 'must be a column of numbers',
  position: 'must be a column of numbers, dates or times',
  date: 'must be a column of dates, with or without times',
};

/** Returns every reason why the columns of a result don't fit a visualization, with a pointer into the visualization. */
export function findColumnFaults(visualization: object, fields: Fields, columns: readonly Column[]): Fault[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const names = columns.slice(0, 20).map(({ name }) => `“${name}”`);
  const noColumn = `is not one of the columns: ${names.join(', ')}${columns.length > 20 ? ' …' : ''}`;
  return Object.entries(fields).flatMap(([path, requirement]) =>
    textsAt(visualization, path.split('/').slice(1)).flatMap(({ pointer, text }): Fault[] => {
      if (requirement === 'template') {
        const missing = columnsInTemplate(text).filter((name) => !byName.has(name));
        return missing.map((name) => ({
          pointer,
          code: 'column',
          message: `names {{${name}}}, which ${noColumn}`,
        }));
      }
      const column = byName.get(text);
      if (column === undefined) return [{ pointer, code: 'column', message: noColumn }];
      if (meets(column, requirement)) return [];
      const message = `${requirements[requirement]}; the column is ${column.type}`;
      return [{ pointer, code: 'columnType', message }];
    }),
  );
}

/** Returns the texts at a path with their pointers; none if a part of the path is missing. */
function textsAt(
  value: unknown,
  [part, ...rest]: readonly string[],
  pointer = '',
): { readonly pointer: string; readonly text: string }[] {
  if (part === undefined) return typeof value === 'string' ? [{ pointer, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  const members =
    part === '*' ? Object.entries(value) : Object.entries(value).filter(([name]) => name === part);
  return members.flatMap(([name, member]) => textsAt(member, rest, `${pointer}/${name}`));
}

import { isNumeric, isTemporal, type ColumnType } from '../columns.ts';
import { columnsInTemplate } from './template.ts';

/** What a visualization requires of a column: numbers, or what has a place on an axis of numbers or times. */
export type Need = 'any' | 'measure' | 'position';

/**
 * Where the settings of a kind of visualization name columns, with what they require of each: by JSON Pointers, in which `*` is
 * every item of a list. A `template` is a text that names columns as `{{column}}`.
 */
export type Fields = Readonly<Record<string, Need | 'template'>>;

interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

interface Fault {
  pointer: string;
  code: 'column' | 'columnType';
  message: string;
}

/** Whether a column has what is required of it. */
export const fitsNeed = ({ type }: Pick<Column, 'type'>, need: Need): boolean =>
  need === 'any' || isNumeric(type) || (need === 'position' && (isTemporal(type) || type === 'time'));

const requirements: Readonly<Record<Need, string>> = {
  any: 'may be of any type',
  measure: 'must be a column of numbers',
  position: 'must be a column of numbers, dates or times',
};

/** Returns why the columns of a result do not fit a visualization: every fault, with its pointer into the visualization. */
export function findColumnFaults(visualization: object, fields: Fields, columns: readonly Column[]): Fault[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const names = columns.slice(0, 20).map(({ name }) => `“${name}”`);
  const noColumn = `is none of the columns: ${names.join(', ')}${columns.length > 20 ? ' …' : ''}`;
  return Object.entries(fields).flatMap(([path, need]) =>
    textsAt(visualization, path.split('/').slice(1)).flatMap(({ pointer, text }): Fault[] => {
      if (need === 'template') {
        const missing = columnsInTemplate(text).filter((name) => !byName.has(name));
        return missing.map((name) => ({
          pointer,
          code: 'column',
          message: `names {{${name}}}, which ${noColumn}`,
        }));
      }
      const column = byName.get(text);
      if (column === undefined) return [{ pointer, code: 'column', message: noColumn }];
      if (fitsNeed(column, need)) return [];
      const message = `${requirements[need]}; the column is ${column.type}`;
      return [{ pointer, code: 'columnType', message }];
    }),
  );
}

/** Returns the texts at a path, with the pointer to each; none where a part of the path is left out. */
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

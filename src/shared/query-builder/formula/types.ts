import { isNumeric, isTemporal, type ColumnType } from '../../columns.ts';

/** The types that contain those before them. */
const wideningTypes: readonly (readonly ColumnType[])[] = [
  ['integer', 'decimal', 'double'],
  ['date', 'datetime'],
];

/** Returns the type that values of all of the types can have, or undefined if there is none. */
export function commonType(types: readonly ColumnType[]): ColumnType | undefined {
  const [first] = types;
  if (types.every((type) => type === first)) return first;
  const family = wideningTypes.find((members) => types.every((type) => members.includes(type)));
  return family?.findLast((type) => types.includes(type));
}

/** What the types are called in messages. */
export function typeName(type: ColumnType): string {
  if (isNumeric(type)) return 'a number';
  if (isTemporal(type)) return type === 'date' ? 'a date' : 'a date and time';
  if (type === 'text') return 'text';
  return type === 'boolean' ? 'true or false' : `of the type ${type}`;
}

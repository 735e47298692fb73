/** The types of columns, which are the same for every kind of data source. */
export const columnTypes = [
  'boolean',
  'integer',
  'decimal',
  'double',
  'text',
  'date',
  'time',
  'datetime',
  'instant',
  'interval',
  'uuid',
  'bytes',
  'json',
  'list',
  'struct',
  'other',
] as const;
export type ColumnType = (typeof columnTypes)[number];

const numericTypes: ReadonlySet<ColumnType> = new Set(['integer', 'decimal', 'double']);
const temporalTypes: ReadonlySet<ColumnType> = new Set(['date', 'datetime', 'instant']);

/** Whether the values of a column are numbers. */
export const isNumeric = (type: ColumnType): boolean => numericTypes.has(type);

const plainTypes: ReadonlySet<ColumnType> = new Set(['boolean', 'text', 'time', 'uuid']);

/** Whether rows can be grouped by the values of a column, and the values be tested for equality: PostgreSQL can't compare all types. */
export const isGroupable = (type: ColumnType): boolean =>
  isNumeric(type) || isTemporal(type) || plainTypes.has(type);

/** Whether one value of a column can be smaller than another. */
export const isOrdered = (type: ColumnType): boolean =>
  isNumeric(type) || isTemporal(type) || type === 'text' || type === 'time';

/** Whether the values of a column are days or moments; a time of day is neither. */
export const isTemporal = (type: ColumnType): boolean => temporalTypes.has(type);

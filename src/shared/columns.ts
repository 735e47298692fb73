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

/** Whether the values of a column are days or moments; a time of day is neither. */
export const isTemporal = (type: ColumnType): boolean => temporalTypes.has(type);

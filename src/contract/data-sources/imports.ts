import { Type, type Static } from 'typebox';
import { Column, RowValues } from './data-sources.ts';

/** The encodings of text files. Only the first four are guessed. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof encodings)[number];

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** The types that the values of a text file can be converted to. */
export const importTypes = [
  'text',
  'integer',
  'double',
  'date',
  'datetime',
  'instant',
  'time',
  'boolean',
] as const;
export type ImportType = (typeof importTypes)[number];

/** The most columns that a table can have. */
export const maxColumns = 2_000;

export const ImportColumn = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Unique, ignoring case',
  }),
  type: Type.Enum([...importTypes]),
});

/** The character encoding of a text file. */
export const Encoding = Type.Enum([...encodings], { description: 'The character encoding of the file' });

const options = {
  encoding: Encoding,
  delimiter: Type.Enum([...delimiters], { description: 'The character between two cells' }),
  skipLines: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'The number of lines above the table, such as a title',
  }),
  hasHeader: Type.Boolean({ description: 'Whether the first row has the names of the columns' }),
  decimalMark: Type.Enum(['.', ','], {
    description: 'The decimal mark of numbers. The other mark, spaces and apostrophes can separate thousands',
  }),
  dateOrder: Type.Enum(['day_first', 'month_first'], {
    description: 'Whether 03/04/2026 is in April or in March. Dates that start with the year need no order',
  }),
  columns: Type.Array(ImportColumn, { maxItems: maxColumns }),
};

/** How a CSV or TSV file is read. */
export const ImportOptions = Type.Object(options, { description: 'Absent unless the file is CSV or TSV' });
export type ImportOptions = Static<typeof ImportOptions>;

/** The options that a client chooses. The others are guessed. */
export const ChosenOptions = Type.Partial(Type.Object(options), {
  description: 'How to read a CSV or TSV file; what is left out is guessed. Ignored for other formats',
});
export type ChosenOptions = Static<typeof ChosenOptions>;

/** A row of a file that can't be imported, or a value that doesn't fit its column. */
export const ImportFault = Type.Object({
  line: Type.Integer({ description: 'The line of the file on which the row starts, from 1' }),
  column: Type.Optional(Type.String({ description: 'Absent if the row as a whole is broken' })),
  value: Type.Optional(Type.String({ description: 'The value that does not fit, or the start of the row' })),
  message: Type.String(),
});
export type ImportFault = Static<typeof ImportFault>;

export const maxListedFaults = 100;

/** Everything in a file that can't be imported. */
export const ImportFaults = Type.Object({
  brokenRowCount: Type.Integer({ minimum: 0, description: 'Rows that are broken as a whole' }),
  badValueCount: Type.Integer({ minimum: 0, description: 'Values that do not fit the type of their column' }),
  badRowCount: Type.Integer({ minimum: 0, description: 'Rows with at least one such value' }),
  faults: Type.Array(ImportFault, { description: `The first ${maxListedFaults}` }),
});
export type ImportFaults = Static<typeof ImportFaults>;

/** What importing a file with some options would create. */
export const ImportPreview = Type.Object({
  ...ImportFaults.properties,
  options: Type.Optional(ImportOptions),
  columns: Type.Array(Column),
  rows: RowValues,
  lines: Type.Array(Type.Integer(), {
    description: 'The line of the file on which each of `rows` starts. Empty if the format has no lines',
  }),
  rowCount: Type.Integer({ minimum: 0, description: 'The rows of the table, without broken ones' }),
  notes: Type.Array(Type.String(), { description: 'Messages about what could not be guessed' }),
});
export type ImportPreview = Static<typeof ImportPreview>;

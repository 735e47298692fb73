import type { Column } from '#contract/data-sources.ts';
import type { RowBatch } from './opened-source.ts';

/** The head of a CSV file (RFC 4180): the names of the columns. */
export const csvHead = (columns: readonly Column[]): string => line(columns.map(({ name }) => field(name)));

/**
 * The rows of a batch as lines of CSV. Null is empty, and an empty text is `""`. Values are as they are: one that a
 * spreadsheet takes for a formula is not changed, since other readers would get another value.
 */
export function csvLines({ rowCount, columns }: RowBatch): string {
  let lines = '';
  const fields: string[] = [];
  for (let row = 0; row < rowCount; row += 1) {
    for (const [index, column] of columns.entries()) fields[index] = field(column[row] ?? null);
    lines += line(fields);
  }
  return lines;
}

const line = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

function field(text: string | null): string {
  if (text === null) return '';
  return text === '' || needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const needsQuotes = /[",\r\n]|^\s|\s$/;

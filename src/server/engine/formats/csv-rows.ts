import type { Column } from '#contract/data-sources/data-sources.ts';
import type { RowBatch } from '../opened-source.ts';

/** Writes the lines of a CSV file (RFC 4180). */
export interface CsvWriter {
  /** Returns the line with the names of the columns. */
  head(columns: readonly Column[]): string;
  /** Returns the rows of a batch as lines. Null is empty, and an empty text is `""`. */
  lines(batch: RowBatch): string;
}

/** Leaves values unchanged, so that other programs read exactly what the source has. */
export const exactCsv: CsvWriter = csvWriter((text) => text);

/**
 * Makes values safe for spreadsheets: those that could be formulas get an apostrophe in front, as OWASP recommends against
 * CSV injection. Numbers stay unchanged, even negative ones.
 */
export const spreadsheetCsv: CsvWriter = csvWriter((text) =>
  number.test(text) ? text : text.replaceAll(startOfFormula, "'$&"),
);

const number = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * Matches characters, also full-width ones, that start a formula in a spreadsheet: at the start of a cell, or where a program
 * that separates cells by semicolons or tabs would start one.
 */
const startOfFormula = /(?:^|(?<=[;\t\r\n]))[=+\-@＝＋－＠]|^[\t\r\n]/g;

function csvWriter(toShown: (text: string) => string): CsvWriter {
  function field(text: string | null): string {
    if (text === null) return '';
    const shown = toShown(text);
    return shown === '' || needsQuotes.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  }

  return {
    head: (columns) => line(columns.map(({ name }) => field(name))),
    lines: ({ rowCount, columns }) => {
      let lines = '';
      const fields: string[] = [];
      for (let row = 0; row < rowCount; row += 1) {
        for (const [index, column] of columns.entries()) fields[index] = field(column[row] ?? null);
        lines += line(fields);
      }
      return lines;
    },
  };
}

const line = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

const needsQuotes = /[",\r\n]|^\s|\s$/;

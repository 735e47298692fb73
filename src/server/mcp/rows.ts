import { Type, type Static } from 'typebox';
import { Column, RowValues } from '#contract/data-sources/data-sources.ts';
import { firstRows, type FirstRows } from '../results/first-rows.ts';
import type { Result } from '../results/results.ts';

/** How many rows a model gets unless it asks for another number. */
const defaultRows = 100;
/** The most that it can ask for. */
const maxRows = 1_000;
/** About 16,000 tokens, of which a model has 100,000 to a million for everything. */
export const maxResultBytes = 64 * 1024;

/** The argument for the number of rows. */
export const MaxRows = Type.Integer({
  minimum: 1,
  maximum: maxRows,
  description: `The most rows to return; default: ${defaultRows}`,
});

/** Rows of a result, with what was left out. */
export const ShownRows = Type.Object({
  columns: Type.Array(Column),
  rows: RowValues,
  rowCount: Type.Integer({ description: 'The rows of the whole result' }),
  truncated: Type.Optional(
    Type.String({ description: 'Present if rows are missing: how many and why, and what to do' }),
  ),
});

/** Returns the rows of a result that a model gets, and releases the memory of the result. */
export function toShownRows(
  result: Result,
  limits: { readonly maxRows?: number | undefined; readonly maxBytes?: number },
): Static<typeof ShownRows> {
  const { maxRows: rowLimit = defaultRows, maxBytes = maxResultBytes } = limits;
  try {
    return withNote(firstRows(result, { maxRows: rowLimit, maxBytes }), rowLimit);
  } finally {
    result.release();
  }
}

/** Returns rows with a note on those that are missing. */
function withNote(
  { columns, rows, rowCount, isCutOff }: FirstRows,
  rowLimit: number,
): Static<typeof ShownRows> {
  const shown = { columns: [...columns], rows: rows.map((row) => [...row]), rowCount };
  if (rows.length === rowCount && !isCutOff) return shown;
  const missing = rows.length < rowCount ? [`Only the first ${rows.length} rows are shown`] : [];
  if (rows.length < rowCount && rows.length < rowLimit) missing.push('since more would be too long');
  const all = isCutOff ? [`the result has at least ${rowCount} rows, and was cut off there`] : [];
  const said = [missing.join(', '), ...all].filter((text) => text !== '').join('; ');
  return {
    ...shown,
    truncated: `${said[0]?.toUpperCase()}${said.slice(1)}. Totals computed from these rows are wrong: aggregate or filter in the query, or with parameters.`,
  };
}

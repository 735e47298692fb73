import { findColumn, type ResultColumn, type ResultRows } from '../values/result-values.ts';
import { createStepFormatter } from '../values/time-steps.ts';

/** A part of a chart, such as a bar, a slice or the cell of a table, and the rows of the result that it stands for. */
export interface Mark {
  /** Its identity, which is the same after the result has been loaded again. */
  readonly key: string;
  /** The columns whose values identify it, such as the one of the axis and the one that splits the series. */
  readonly fields: readonly string[];
  /** The columns whose values it shows. */
  readonly measures: readonly string[];
  /** Usually one; several for a slice that combines others and for a bar of a histogram. */
  readonly rows: readonly (readonly unknown[])[];
  /** What it is called if it stands for several rows. */
  readonly name?: string;
}

/** A value of a column that was clicked. */
export interface Picked {
  readonly field: string;
  readonly value: unknown;
}

/** Whether a value of a column is one that its filter has; undefined if the column has no filter that is set. */
export type IsPicked = (field: string, value: unknown) => boolean | undefined;

/** Whether a mark is emphasized (true) or faint (false); undefined if it looks as usual. */
export type StateOf = (mark: Mark) => boolean | undefined;

/** Where and how a mark was clicked, in pixels of the window. */
export interface Click {
  readonly x: number;
  readonly y: number;
  /** Whether it is added to the selected marks, or removed from them. */
  readonly isAdding: boolean;
}

export type ChooseMark = (mark: Mark, click: Click) => void;

/** Returns the mark of a row, which is identified by the values of its fields. */
export function markOfRow(
  fields: readonly ResultColumn[],
  measures: readonly ResultColumn[],
  row: readonly unknown[],
): Mark {
  const names = (columns: readonly ResultColumn[]) => columns.map(({ name }) => name);
  return {
    key: JSON.stringify([fields.map(({ name, index }) => [name, row[index]]), names(measures)]),
    fields: names(fields),
    measures: names(measures),
    rows: [row],
  };
}

/** Returns the values that identify a mark, without duplicates; for a mark that combines others, those of each of them. */
export function pickedBy({ fields, rows }: Mark, { columns }: Pick<ResultRows, 'columns'>): Picked[] {
  const indexes = fields.map((field) => ({ field, index: columns.findIndex(({ name }) => name === field) }));
  const all = rows.flatMap((row) => indexes.map(({ field, index }) => ({ field, value: row[index] })));
  return [...new Map(all.map((picked) => [JSON.stringify(picked), picked])).values()];
}

/** Returns the state of a mark by the marks that are selected, or else by the values that filters have. */
export function stateByPicked(
  result: Pick<ResultRows, 'columns'>,
  selected: ReadonlySet<string>,
  isPicked: IsPicked | undefined,
): StateOf | undefined {
  if (selected.size > 0) return (mark) => selected.has(mark.key);
  if (isPicked === undefined) return undefined;
  return (mark) => {
    const known = pickedBy(mark, result).flatMap(({ field, value }) => isPicked(field, value) ?? []);
    return known.length === 0 ? undefined : known.every(Boolean);
  };
}

/** Returns a function that returns a mark as text, such as `north · 30.5`. */
export function markWriter(result: ResultRows): (mark: Mark) => string {
  const formats = new Map(
    result.columns.map((column, index) => [
      column.name,
      createStepFormatter(
        column,
        result.rows.slice(0, sampleRows).map((row) => row[index]),
      ),
    ]),
  );
  return ({ fields, measures, rows: [row], name }) => {
    if (name !== undefined || row === undefined) return name ?? '';
    const shown = [...new Set([...fields, ...measures])].flatMap((field) => findColumn(result, field) ?? []);
    return shown.map((column) => formats.get(column.name)?.(row[column.index]) ?? '').join(' · ');
  };
}

/** The rows that decide how precisely times are written. */
const sampleRows = 1_000;

/** Returns marks as text for the clipboard: a line for each row, with the columns of the mark separated by tabs. */
export function copiedText(marks: readonly Mark[], result: ResultRows): string {
  const lines = marks.flatMap(({ fields, measures, rows }) => {
    const columns = [...new Set([...fields, ...measures])].flatMap(
      (field) => findColumn(result, field) ?? [],
    );
    return rows.map((row) => columns.map((column) => exactText(row[column.index])).join('\t'));
  });
  return lines.join('\n');
}

/** Numbers, dates and texts are copied as they are, not as they are formatted, so that other programs can read them. */
function exactText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

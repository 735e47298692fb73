import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportParameter } from '#contract/reports/reports.ts';

/** A query of TPC-H as a report, whose parameters have the validation values as defaults. */
export interface TpchQuery {
  readonly name: string;
  readonly sql: string;
  readonly parameters: readonly ReportParameter[];
}

const text = (name: string, value: string): ReportParameter => ({ name, type: 'text', default: value });
const number = (name: string, value: number): ReportParameter => ({ name, type: 'number', default: value });
const date = (name: string, value: string): ReportParameter => ({ name, type: 'date', default: value });
const list = (name: string, value: string[]): ReportParameter => ({ name, type: 'list', default: value });

/**
 * The validation values of TPC-H (specification 3.0.1, section 2.4) for the queries that have parameters; the others have the
 * values in their SQL. The fraction of query 11 depends on the scale.
 */
const parameters: Readonly<Record<string, readonly ReportParameter[]>> = {
  '01': [number('days', 90)],
  '02': [number('size', 15), text('type', 'BRASS'), text('region', 'EUROPE')],
  '03': [text('segment', 'BUILDING'), date('day', '1995-03-15')],
  '04': [date('day', '1993-07-01')],
  '06': [date('day', '1994-01-01'), number('discount', 0.06), number('quantity', 24)],
  '07': [text('one', 'FRANCE'), text('other', 'GERMANY')],
  '09': [text('color', 'green')],
  '10': [date('day', '1993-10-01')],
  '11': [text('nation', 'GERMANY'), number('fraction', 0.01)],
  '12': [list('modes', ['MAIL', 'SHIP'])],
  '14': [date('day', '1995-09-01')],
  '16': [
    text('brand', 'Brand#45'),
    text('type', 'MEDIUM POLISHED'),
    list('sizes', ['49', '14', '23', '45', '19', '3', '36', '9']),
  ],
  '18': [number('quantity', 300)],
  '20': [text('color', 'forest'), date('day', '1994-01-01'), text('nation', 'CANADA')],
  '22': [list('codes', ['13', '31', '23', '29', '30', '18', '17'])],
};

/**
 * Returns the 22 queries, in SQL that both DuckDB and PostgreSQL accept. If the two would return different types, the query
 * casts: years are integers, averages and quotients doubles.
 */
export async function readTpchQueries(): Promise<TpchQuery[]> {
  const directory = join(import.meta.dirname, 'queries');
  const files = (await readdir(directory)).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const name = file.replace('.sql', '');
      const sql = await readFile(join(directory, file), 'utf8');
      return { name, sql, parameters: parameters[name] ?? [] };
    }),
  );
}

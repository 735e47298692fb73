import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Column, UploadFormat } from '#contract/data-sources/data-sources.ts';

/** The files of the package vega-datasets, and the tables that are created from them. */
export const sampleFiles: readonly {
  readonly name: string;
  readonly file: string;
  readonly format: UploadFormat;
}[] = [
  { name: 'flights', file: 'flights-3m.parquet', format: 'parquet' },
  { name: 'weather', file: 'seattle-weather.csv', format: 'csv' },
  { name: 'stocks', file: 'stocks.csv', format: 'csv' },
  { name: 'countries', file: 'gapminder.json', format: 'json' },
  { name: 'movies', file: 'movies.json', format: 'json' },
];

/** A table of the sample, imported when Atrium was built. */
export interface SampleTable {
  readonly name: string;
  /** The path of its DuckDB database file. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly columns: readonly Column[];
  readonly rowCount: number;
}

/** Where `build.ts` writes the tables, each as a file, and `tables.json`, which describes them. */
export const sampleDirectory = join(import.meta.dirname, '..', '..', '..', 'dist', 'sample');
export const sampleDescription = join(sampleDirectory, 'tables.json');

/** Returns the imported tables. Rejects if the sample wasn't built. */
export async function readSampleTables(): Promise<readonly SampleTable[]> {
  // Sound because `build.ts` wrote the file.
  const described = JSON.parse(await readFile(sampleDescription, 'utf8')) as Omit<SampleTable, 'path'>[];
  return described.map((table) => ({ ...table, path: samplePath(table.name) }));
}

export const samplePath = (name: string): string => join(sampleDirectory, `${name}.duckdb`);

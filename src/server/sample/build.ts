// Imports the files of the sample when Atrium is built, so that creating the sample only copies files.
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { quoteText } from '../engine/duckdb/instance.ts';
import { createQueryEngine } from '../engine/query-engine.ts';
import { createNoSandbox } from '../engine/sandbox/no-sandbox.ts';
import { sampleDescription, sampleDirectory, sampleFiles, samplePath } from './tables.ts';

const sortedFlights = join(sampleDirectory, 'sorted-flights.parquet');

await rm(sampleDirectory, { recursive: true, force: true });
await mkdir(sampleDirectory, { recursive: true });
// The files come from a package that is part of Atrium.
const engine = createQueryEngine({ sandbox: createNoSandbox('The files are trusted.', '') });
try {
  const tables = [];
  for (const { name, file, format } of sampleFiles) {
    const outputFile = samplePath(name);
    const imported = await engine.importFile({
      organizationId: 'sample',
      inputFile: name === 'flights' ? await sortFlights(pathOf(file)) : pathOf(file),
      format,
      outputFile,
      tempDirectory: sampleDirectory,
    });
    tables.push({ name, sizeBytes: (await stat(outputFile)).size, ...imported });
  }
  await rm(sortedFlights);
  await writeFile(sampleDescription, JSON.stringify(tables));
} finally {
  await engine.close();
}

/** Returns a copy of the flights in the order of their dates, which takes a third less space once it is imported. */
async function sortFlights(file: string): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `copy (from read_parquet(${quoteText(file)}) order by date) to ${quoteText(sortedFlights)} (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  return sortedFlights;
}

/** The package exports only its script; the data is next to it. */
function pathOf(file: string): string {
  return fileURLToPath(new URL(`../data/${file}`, import.meta.resolve('vega-datasets')));
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { FilesSource } from '../../../src/server/engine/duckdb/description.ts';
import { engine } from '../../../src/server/engine/duckdb/engine.ts';

/** Creates a source of uploaded tables, each the result of a SELECT, in a directory that is removed with the test. */
export async function makeFilesSource(
  context: { after(cleanUp: () => Promise<void>): void },
  tables: Readonly<Record<string, string>>,
): Promise<FilesSource & { readonly tempDirectory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-files-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  const made: { name: string; file: string }[] = [];
  for (const [name, select] of Object.entries(tables)) {
    const file = join(directory, `${made.length}.duckdb`);
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE data AS ${select}`);
    connection.closeSync();
    instance.closeSync();
    made.push({ name, file });
  }
  return { engine, tables: made, tempDirectory: join(directory, 'temp') };
}

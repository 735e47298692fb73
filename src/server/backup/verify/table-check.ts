import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { QueryEngine } from '../../engine/query-engine.ts';
import type { Settings } from '../../settings/settings.ts';
import type { BackupFile } from '../manifest.ts';

/** Opens files of uploaded tables. */
export interface TableCheck {
  /** Returns the faults of a file whose checksum is correct: whether it opens, and has the rows and columns. */
  findFaults(file: string, table: NonNullable<BackupFile['table']>): Promise<string[]>;
}

/**
 * Calls `use` with a check that opens each file in a query worker of its own. The workers are isolated like those of the server,
 * since a hostile import could have left any bytes in a file. `sandbox` is the mode of the settings.
 */
export async function withTableCheck<Result>(
  sandbox: Settings['querySandbox'],
  use: (tableCheck: TableCheck) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-verify-'));
  let engine: Promise<QueryEngine> | undefined;
  const tableCheck: TableCheck = {
    async findFaults(file, table) {
      engine ??= startEngine(sandbox, directory);
      try {
        const { columns, rowCount } = await readTable(await engine, file, directory);
        return [
          ...(rowCount === table.rowCount
            ? []
            : [`it has ${rowCount} rows, and should have ${table.rowCount}`]),
          ...(isDeepStrictEqual(columns, table.columns)
            ? []
            : ['its columns are not those that the database describes']),
        ];
      } catch (error) {
        const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
        return [`it cannot be opened: ${message}`];
      }
    },
  };
  try {
    return await use(tableCheck);
  } finally {
    await (await engine)?.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The libraries are loaded only here, since they are large. */
async function startEngine(mode: Settings['querySandbox'], directory: string): Promise<QueryEngine> {
  const [{ createQueryEngine }, { startSandbox }] = await Promise.all([
    import('../../engine/query-engine.ts'),
    import('../../engine/sandbox/start-sandbox.ts'),
  ]);
  const temporaryDirectory = join(directory, 'workers');
  const sandbox = await startSandbox(mode, { dataDirectory: directory, temporaryDirectory });
  // One worker at a time: an idle one is replaced by that of the next file.
  return createQueryEngine({ sandbox, temporaryDirectory, limits: { maxWorkers: 1 } });
}

async function readTable(queryEngine: QueryEngine, file: string, directory: string) {
  const { engine } = await import('../../engine/duckdb/engine.ts');
  const source = { engine, tables: [{ name: 'checked', file }], tempDirectory: directory };
  const read = (sql: string) => queryEngine.run({ organizationId: 'verify', source, sql });
  const { columns } = await read('SELECT * FROM checked LIMIT 0');
  const counted = await read('SELECT count(*) FROM checked');
  // Sound because it is one row of one number.
  const [[rowCount]] = JSON.parse(Buffer.from(counted.rowsJson).toString()) as [[number]];
  return { columns, rowCount };
}

import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { QueryLimits } from '../limits.ts';

/** Returns an in-memory instance that has the limits and loads no extensions. It can still access files. */
export async function createInstance(directory: string, limits: QueryLimits): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${limits.memoryBytes}B`,
    temp_directory: join(directory, 'spill'),
    max_temp_directory_size: `${limits.temporaryDiskBytes}B`,
    allow_community_extensions: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_persistent_secrets: 'false',
    errors_as_json: 'true',
  });
  const connection = await instance.connect();
  // A setting of the time zone extension, which isn't loaded yet when the options above are applied.
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  connection.closeSync();
  return instance;
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

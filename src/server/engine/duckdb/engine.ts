import type { SourceEngine } from '../source-description.ts';
import type { FilesSource } from './description.ts';

/** Runs queries over uploaded tables in DuckDB. */
export const engine: SourceEngine = {
  folder: 'duckdb',
  types: { text: 'VARCHAR', whole: 'BIGINT', fractional: numberType },
  files: {
    paths: ({ tables }: FilesSource) => tables.map(({ file }) => file),
    withPaths: (source: FilesSource, pathOf) => ({
      ...source,
      tables: source.tables.map(({ name, file }) => ({ name, file: pathOf(file) })),
      // A worker uses its own directory, and must not see a path that reveals the ids of organizations.
      tempDirectory: '',
    }),
    tempDirectory: ({ tempDirectory }: FilesSource) => tempDirectory,
  },
  // Loaded only in workers that need it, which halves the start of the others.
  open: async (source: FilesSource, directory, limits) =>
    (await import('./source.ts')).openDuckdbSource(source, directory, limits),
};

/**
 * Returns the type that DuckDB gives to a number literal: one with a decimal point is exact, so that 0.06 + 0.01 equals the
 * 0.07 in a table.
 */
function numberType(text: string): string {
  const [, whole, fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return whole === undefined ? 'DOUBLE' : `DECIMAL(${whole.length + fraction.length}, ${fraction.length})`;
}

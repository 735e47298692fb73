import type { SourceEngine } from '../source-description.ts';
import type { PostgresqlSource } from './description.ts';

/** Runs queries at a PostgreSQL server, or another that speaks its protocol. */
export const engine: SourceEngine = {
  folder: 'postgresql',
  types: { text: 'text', whole: 'bigint', fractional: () => 'numeric' },
  // Loaded only in a worker that needs it: that halves the start of the others.
  open: async (source: PostgresqlSource, _directory, limits) =>
    (await import('./source.ts')).openPostgresqlSource(source, limits),
};

import type { SourceEngine } from '../source-description.ts';
import type { PostgresqlSource } from './description.ts';

/** Runs queries on a PostgreSQL server, or on another server that speaks its protocol. */
export const engine: SourceEngine = {
  folder: 'postgresql',
  types: { text: 'text', whole: 'bigint', fractional: () => 'numeric' },
  server: {
    destination: ({ addresses, port }: PostgresqlSource) => ({ addresses, port }),
    withForwarder: (source, forwarder): PostgresqlSource => ({ ...(source as PostgresqlSource), forwarder }),
  },
  // Loaded only in workers that need it, which halves the start of the others.
  open: async (source: PostgresqlSource, _directory, limits) =>
    (await import('./source.ts')).openPostgresqlSource(source, limits),
};

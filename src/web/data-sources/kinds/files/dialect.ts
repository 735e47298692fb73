import { quoteIfNeeded } from '#shared/sql/names.ts';
import type { SourceDialect } from '../dialects.ts';

/** DuckDB reads nearly the same SQL as PostgreSQL. */
export const dialect: SourceDialect = {
  quoteIfNeeded,
  defaultSchema: 'main',
  loadEditorDialect: async () => (await import('@codemirror/lang-sql')).PostgreSQL,
};

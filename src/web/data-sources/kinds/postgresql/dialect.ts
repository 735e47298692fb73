import { quoteIfNeeded } from '#shared/sql/names.ts';
import type { SourceDialect } from '../dialects.ts';

export const dialect: SourceDialect = {
  quoteIfNeeded,
  defaultSchema: 'public',
  loadEditorDialect: async () => (await import('@codemirror/lang-sql')).PostgreSQL,
};

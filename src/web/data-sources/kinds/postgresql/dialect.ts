import { writeName } from '#shared/sql/names.ts';
import type { SourceDialect } from '../dialects.ts';

export const dialect: SourceDialect = {
  writeName,
  defaultSchema: 'public',
  loadEditorDialect: async () => (await import('@codemirror/lang-sql')).PostgreSQL,
};

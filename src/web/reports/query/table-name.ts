import type { SourceDialect } from '../../data-sources/kinds/dialects.ts';

/** Returns a table as it is written in a query: without its schema if that is the default. */
export const tableInQuery = (
  { quoteIfNeeded, defaultSchema }: Pick<SourceDialect, 'quoteIfNeeded' | 'defaultSchema'>,
  { schema, name }: { readonly schema: string; readonly name: string },
): string =>
  schema === defaultSchema ? quoteIfNeeded(name) : `${quoteIfNeeded(schema)}.${quoteIfNeeded(name)}`;

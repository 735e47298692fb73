import { useQuery } from '@tanstack/react-query';
import { dialects, type SourceDialect } from '../../data-sources/kinds/dialects.ts';
import { dataSourceQuery } from '../../ui/server-data/data-source-queries.ts';

/** Returns the SQL dialect of a data source; undefined until its kind is known. */
export function useDialect(dataSourceId: string): SourceDialect | undefined {
  const { data: source } = useQuery(dataSourceQuery(dataSourceId));
  return source && dialects[source.kind];
}

import type { SQLDialect } from '@codemirror/lang-sql';
import type { DataSourceKind } from '#contract/data-sources/kinds.ts';

/** How queries of one kind of data source are written: `dialect.ts` of each folder exports one as `dialect`. */
export interface SourceDialect {
  /** Returns a name as it is written in a query, with quotes only if they are needed. */
  quoteIfNeeded(name: string): string;
  /** The schema whose name can be left out in queries. */
  readonly defaultSchema: string;
  /** Loads the dialect by which the editor highlights and completes. */
  loadEditorDialect(): Promise<SQLDialect>;
}

const modules = import.meta.glob<{ readonly dialect: SourceDialect }>('./*/dialect.ts', { eager: true });

/** The dialects by the folders of their kinds. Sound because registry.test.ts compares these with the contract. */
export const dialects = Object.fromEntries(
  Object.entries(modules).map(([path, { dialect }]) => [path.split('/')[1], dialect]),
) as Readonly<Record<DataSourceKind, SourceDialect>>;

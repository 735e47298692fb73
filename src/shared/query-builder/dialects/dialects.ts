import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { postgresql } from './postgresql.ts';

/** The SQL dialects. A dialect is a line here and the file that it names. */
export const dialects = { duckdb, postgresql } as const satisfies Readonly<Record<string, Dialect>>;
export type DialectName = keyof typeof dialects;

/** The dialects of the kinds of data sources. */
export const dialectOfKind = {
  files: 'duckdb',
  postgresql: 'postgresql',
} as const satisfies Readonly<Record<string, DialectName>>;

// Loads what workers load, and stores the compiled code in NODE_COMPILE_CACHE (see ../sandbox/compile-cache.ts).
import { flushCompileCache } from 'node:module';

await Promise.all([
  import('./jobs.ts'),
  import('./frame.ts'),
  import('./channel.ts'),
  import('../output.ts'),
  import('../duckdb/engine.ts'),
  import('../duckdb/source.ts'),
  import('../duckdb/imports/import-file.ts'),
  import('../postgresql/engine.ts'),
  import('../postgresql/source.ts'),
  import('../formats/parquet-file.ts'),
]);
flushCompileCache();

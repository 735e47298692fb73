// Loads what workers load, and stores the compiled code in the directory of the first argument (see ../sandbox/compile-cache.ts).
import { enableCompileCache, flushCompileCache } from 'node:module';

enableCompileCache(process.argv[2]);
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

import type { TestContext } from 'node:test';
import { createQueryEngine, type QueryEngine } from '../../../src/server/engine/query-engine.ts';
import type { QueryLimits } from '../../../src/server/engine/limits.ts';
import { testSandbox } from './query-sandbox.ts';

/** A query that doesn't end by itself. */
export const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c';

const sandbox = await testSandbox();

/** Returns a query engine that is closed at the end of the test. */
export function openEngine(context: TestContext, limits: Partial<QueryLimits> = {}): QueryEngine {
  const engine = createQueryEngine({ sandbox, limits });
  context.after(() => engine.close());
  return engine;
}

export const textOf = ({ rowsJson }: { readonly rowsJson: Uint8Array }): string =>
  Buffer.from(rowsJson).toString();

/** Returns the codes of queries that failed, and `succeeded` for the others. */
export const codesOf = (results: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  results.map((result) =>
    result.status === 'rejected' ? (result.reason as { code: unknown }).code : 'succeeded',
  );

import type { ExploreTarget } from '#contract/explore.ts';
import type { Selection } from '#shared/explore/axes.ts';
import { quoteName } from '#shared/sql/names.ts';
import type { Actor } from '../base/actor.ts';
import type { Result } from '../results/results.ts';
import { createValues } from './bound-sql.ts';
import { requireSelections, requireTimeZone } from './checks.ts';
import { selectionSql, whereSql } from './sql.ts';
import type { ResultDependencies } from '../reports/runs/allowed-values.ts';
import { requireExplored } from './target.ts';

const limits = { maxRows: 100, maxBytes: 2 * 1024 ** 2 };

/** Returns the first rows that are selected. Throws `invalid_body` and the problems of `requireExplored`. */
export async function listSelectedRows(
  dependencies: ResultDependencies,
  actor: Actor,
  input: {
    readonly target: ExploreTarget;
    readonly selections: readonly Selection[];
    readonly timeZone?: string;
  },
  signal: AbortSignal,
): Promise<Result> {
  const timeZone = requireTimeZone(input.timeZone);
  const explored = await requireExplored(dependencies, actor, input.target, signal);
  const values = createValues(explored.parameters);
  const conditions = requireSelections(explored, input.selections).map(({ column, selection }) =>
    selectionSql(column, selection, timeZone, values),
  );
  const columns = [...explored.columns.keys()].map(quoteName).join(', ');
  const where = whereSql(conditions);
  // One more row than is shown, to find out whether there are more.
  const sql = `SELECT ${columns}\nFROM ${explored.from}${where}\nLIMIT ${limits.maxRows + 1}`;
  return explored.run(values.bind(sql), limits);
}

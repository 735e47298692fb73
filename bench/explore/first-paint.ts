import { performance } from 'node:perf_hooks';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { QueryParameter } from '../../src/server/engine/parameter-casts.ts';
import { profileExplored } from '../../src/server/explore/profile.ts';
import type { Explored } from '../../src/server/explore/target.ts';
import { findPlaceholders } from '../../src/shared/sql/placeholders.ts';
import { send } from '../server/account.ts';
import { atMost, compare, timeColumns } from '../reports/part.ts';
import { startReportServer, type ReportServer } from '../reports/server.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatCount } from '../table.ts';
import { tripsQuery } from './trips.ts';

/**
 * Measures how long the profiles of twelve columns take, from the request to the last line, against the queries of the same
 * profile one after the other in DuckDB itself.
 */
export async function measureFirstPaint(bench: Bench): Promise<Section> {
  const rowCount = bench.isQuick ? 1_000_000 : 10_000_000;
  const subject = await startReportServer(tripsQuery(rowCount), 'trips');
  const queries = await recordQueries(subject);
  const directMs: number[] = [];
  const serverMs: number[] = [];
  for (let round = 0; round <= Math.min(bench.rounds, 5); round += 1) {
    const [timesMs = []] = await subject.direct.do({ kind: 'time', queries, count: 1 });
    const startedAt = performance.now();
    await profile(subject, round);
    if (round === 0) continue;
    serverMs.push(performance.now() - startedAt);
    directMs.push(timesMs.reduce((sum, timeMs) => sum + timeMs));
  }
  await subject.server.stop();
  subject.direct.stop();
  const compared = compare(directMs, serverMs);
  return {
    title: `Exploring ${formatCount(rowCount)} rows: the profiles of twelve columns, from ${queries.length} queries`,
    rows: [{ what: 'until the last chart', ...timeColumns(compared) }],
    goals: [atMost('the first paint, of its queries one after the other', median(compared.ratios), 2)],
    details: { ...compared, queries },
  };
}

/** Profiles the result of a report that nobody has run yet, so that nothing is cached. */
async function profile({ server, account, dataSourceId }: ReportServer, round: number): Promise<void> {
  const { cookie, organizationId } = account;
  const headers = { cookie, 'content-type': 'application/json' };
  const body = {
    organizationId,
    dataSourceId,
    name: 'Trips',
    query: `SELECT * FROM trips WHERE ${round} = ${round}`,
  };
  const path = '/api/reports';
  const report = {
    name: 'a report',
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(body),
    status: 201,
  } as const;
  // Sound because the contract describes it.
  const { id: reportId } = (await send(server.origin, report)) as { id: string };
  const response = await fetch(`${server.origin}/api/explore/profile`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ target: { reportId } }),
  });
  const lines = (await response.text()).trimEnd().split('\n');
  const isComplete = lines.length === 13 && !lines.some((line) => line.includes('"problem"'));
  if (!isComplete) throw new Error(`The profile returned status ${response.status}: ${lines.join('\n')}`);
}

/** Returns the queries of a profile as plain SQL, by making one with results of the server's previews. */
async function recordQueries({ server, account, dataSourceId }: ReportServer): Promise<string[]> {
  const { cookie, organizationId } = account;
  const headers = { cookie, 'content-type': 'application/json' };
  const queries: string[] = [];
  async function run({ sql, parameters }: { sql: string; parameters: readonly QueryParameter[] }) {
    queries.push(toPlainSql(sql, parameters));
    const declared = parameters.map(({ name, type, value = null }) => ({ name, type, default: value }));
    const body = JSON.stringify({ organizationId, dataSourceId, query: sql, parameters: declared });
    const path = '/api/reports/preview';
    const result = await send(server.origin, {
      name: 'preview',
      method: 'POST',
      path,
      headers,
      body,
      status: 200,
    });
    const { columns } = result as { columns: readonly Column[] };
    const json = JSON.stringify(result).slice(0, -1);
    const facts = { sizeBytes: json.length, computedAt: 0, sequence: 0, isFromCache: false };
    return { columns, json, ...facts, release: () => {} };
  }
  const { columns } = await run({ sql: 'SELECT * FROM trips LIMIT 0', parameters: [] });
  const explored: Explored = {
    from: 'trips',
    parameters: [],
    columns: new Map(columns.map((column) => [column.name, column])),
    run,
  };
  const fail = (error: unknown): never => {
    throw error;
  };
  for await (const { profile: one } of await profileExplored(explored, { timeZone: 'UTC' }, fail)) {
    if (one?.problem !== undefined) throw new Error(one.problem.detail);
  }
  return queries;
}

function toPlainSql(sql: string, parameters: readonly QueryParameter[]): string {
  let plain = sql;
  for (const { name, start, end } of findPlaceholders(sql).placeholders.toReversed()) {
    const value = parameters.find((parameter) => parameter.name === name)?.value;
    const text = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
    plain = plain.slice(0, start) + text + plain.slice(end);
  }
  return plain;
}

import { performance } from 'node:perf_hooks';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { dashboardQueries } from './orders.ts';
import { createDashboardOf, createReport, type ReportServer } from './server.ts';
import type { Account } from '../load/requests.ts';

const widgetCount = 50;

/** A dashboard of 50 reports, of which every fifth has the same query. */
export interface OpenedDashboard {
  readonly id: string;
  /** The index of each report's query among the ten, by the report's id. */
  readonly queryOf: ReadonlyMap<string, number>;
}

/** `comment` makes its queries differ from those of other dashboards, so that the cache has no results of them. */
export async function createFullDashboard(bench: ReportServer, comment: string): Promise<OpenedDashboard> {
  const queryOf = new Map<string, number>();
  for (let number = 0; number < widgetCount; number += 1) {
    const index = number % dashboardQueries.length;
    const query = `${dashboardQueries[index]} -- ${comment}`;
    queryOf.set(await createReport(bench, { name: `Orders ${number}`, query }), index);
  }
  return { id: await createDashboardOf(bench, [...queryOf.keys()]), queryOf };
}

/** The results of a dashboard, with the times since the request was sent. */
export interface Opening {
  readonly firstLineMs: number;
  /** The index of the query whose result is in the first line. */
  readonly firstQuery: number;
  readonly wholeMs: number;
  /** The rows that the reports of each of the ten queries had, as text. */
  readonly rowsByQuery: readonly ReadonlySet<string>[];
}

/** Reads the results of a dashboard as they arrive. Throws unless each report has one. */
export async function openDashboard(
  origin: string,
  { cookie }: Account,
  { id, queryOf }: OpenedDashboard,
  { isForced }: { isForced: boolean },
): Promise<Opening> {
  const startedAt = performance.now();
  const response = await fetch(`${origin}/api/dashboards/${id}/results`, {
    headers: { cookie, ...(isForced && { 'cache-control': 'no-cache' }) },
  });
  if (response.status !== 200) throw new Error(`A dashboard returned status ${response.status}.`);
  let firstLineMs = NaN;
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (Number.isNaN(firstLineMs) && text.includes('\n')) firstLineMs = performance.now() - startedAt;
  }
  const wholeMs = performance.now() - startedAt;
  const lines = text.trimEnd().split('\n').map(readLine);
  if (lines.length !== queryOf.size) throw new Error(`A dashboard had ${lines.length} lines.`);
  const rowsByQuery = dashboardQueries.map(() => new Set<string>());
  for (const { reportId, rows } of lines) rowsByQuery[queryOf.get(reportId) ?? -1]?.add(rows);
  return { firstLineMs, firstQuery: queryOf.get(lines[0]?.reportId ?? '') ?? -1, wholeMs, rowsByQuery };
}

function readLine(line: string): { reportId: string; rows: string } {
  const { reportId, result, problem } = JSON.parse(line) as WidgetResult;
  if (result === undefined) throw new Error(`A report had no result: ${problem?.detail}`);
  return { reportId, rows: JSON.stringify(result.rows) };
}

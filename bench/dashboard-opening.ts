import { performance } from 'node:perf_hooks';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { dashboardQueries } from './orders.ts';
import { createDashboardOf, createReport, type ReportServer } from './report-server.ts';
import type { Account } from './requests.ts';

const widgetCount = 50;

/** A dashboard of 50 reports, of which each fifth asks the same. */
export interface OpenedDashboard {
  readonly id: string;
  /** By the id of a report the place of its query among the ten. */
  readonly queryOf: ReadonlyMap<string, number>;
}

/** `comment` makes its queries others than those of another dashboard, for the cache. */
export async function createFullDashboard(bench: ReportServer, comment: string): Promise<OpenedDashboard> {
  const queryOf = new Map<string, number>();
  for (let number = 0; number < widgetCount; number += 1) {
    const index = number % dashboardQueries.length;
    const query = `${dashboardQueries[index]} -- ${comment}`;
    queryOf.set(await createReport(bench, { name: `Orders ${number}`, query }), index);
  }
  return { id: await createDashboardOf(bench, [...queryOf.keys()]), queryOf };
}

/** What came back from a dashboard, from the first byte that was sent. */
export interface Opening {
  readonly firstLineMs: number;
  /** Which of the ten queries the first line answers. */
  readonly firstQuery: number;
  readonly wholeMs: number;
  /** For each of the ten queries the rows that its reports had, each a text. */
  readonly answers: readonly ReadonlySet<string>[];
}

/** Reads the results of a dashboard as they come. Throws unless each report has one. */
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
  if (response.status !== 200) throw new Error(`A dashboard answered ${response.status}.`);
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
  const answers = dashboardQueries.map(() => new Set<string>());
  for (const { reportId, rows } of lines) answers[queryOf.get(reportId) ?? -1]?.add(rows);
  return { firstLineMs, firstQuery: queryOf.get(lines[0]?.reportId ?? '') ?? -1, wholeMs, answers };
}

function readLine(line: string): { reportId: string; rows: string } {
  const { reportId, result, problem } = JSON.parse(line) as WidgetResult;
  if (result === undefined) throw new Error(`A report had no result: ${problem?.detail}`);
  return { reportId, rows: JSON.stringify(result.rows) };
}

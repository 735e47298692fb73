import { performance } from 'node:perf_hooks';
import { compareInTurn } from '../load/comparison.ts';
import { createFullDashboard, openDashboard, type Opening } from './dashboard-opening.ts';
import { dashboardQueries, orderQueries, ordersQuery } from './orders.ts';
import { childProcessIds, peakMemoryBytes } from '../server/process-usage.ts';
import { addPeople, createReport, startReportServer, type ReportServer } from './server.ts';
import { createDashboard, runReport } from '../load/requests.ts';
import { atMost, compare, timeColumns, type Part } from './part.ts';
import { measurePreviews } from './previews.ts';
import { compareQueries } from './queries.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatCount, formatRatios } from '../table.ts';

const connections = 50;
const personCount = 100;
const exportedRows = 1_000_000;

/** Measures reports over ten million rows of an uploaded table against DuckDB itself on the same file. */
export async function measureReports(bench: Bench): Promise<Section> {
  const orderCount = bench.isQuick ? 1_000_000 : 10_000_000;
  const subject = await startReportServer(ordersQuery(orderCount), 'orders');
  // First, since memory that the server allocated for other parts can stay allocated.
  const exported = await measureExport(subject);
  const parts: Part[] = [];
  for (const measure of [measureQueries, measurePreviews, measureDashboard, measureCrowd, measureCache])
    parts.push(await measure(subject, bench));
  parts.push(exported);
  const peakMegabytes = toMegabytes(peakMemoryBytes(subject.server.processId));
  await subject.server.stop();
  subject.direct.stop();
  return {
    title: `Reports over ${formatCount(orderCount)} rows, against DuckDB itself: medians`,
    rows: [
      ...parts.flatMap(({ rows }) => rows),
      { what: 'peak memory of the server, MB', Atrium: peakMegabytes.toFixed(0) },
    ],
    goals: parts.flatMap(({ goals }) => goals),
    details: parts.map(({ details }) => details),
  };
}

/** Measures reports that query all orders. */
async function measureQueries(subject: ReportServer, bench: Bench): Promise<Part> {
  const queries = [];
  for (const { name, query, count } of orderQueries) {
    const id = await createReport(subject, { name, query });
    queries.push({ name, query, count, request: runReport(subject.account, { name, id, isForced: true }) });
  }
  return compareQueries(subject, bench, queries);
}

/** Measures a dashboard that queries its sources, in one request, against its queries one after the other. */
async function measureDashboard(subject: ReportServer, bench: Bench): Promise<Part> {
  const { server, account, direct } = subject;
  const dashboard = await createFullDashboard(subject, 'measured');
  const openings: Opening[] = [];
  const first = { directMs: [] as number[], serverMs: [] as number[] };
  const whole = { directMs: [] as number[], serverMs: [] as number[] };
  for (let round = 0; round <= bench.rounds; round += 1) {
    const [timesMs = []] = await direct.do({ kind: 'time', queries: dashboardQueries, count: 1 });
    const opening = await openDashboard(server.origin, account, dashboard, { isForced: true });
    if (round === 0) continue;
    openings.push(opening);
    first.directMs.push(timesMs[opening.firstQuery] ?? NaN);
    first.serverMs.push(opening.firstLineMs);
    whole.directMs.push(timesMs.reduce((sum, timeMs) => sum + timeMs));
    whole.serverMs.push(opening.wholeMs);
  }
  const firstLine = compare(first.directMs, first.serverMs);
  const wholeTime = compare(whole.directMs, whole.serverMs);
  return {
    rows: [
      { what: 'dashboard of 50 widgets, first line', ...timeColumns(firstLine) },
      { what: 'dashboard of 50 widgets, whole', ...timeColumns(wholeTime) },
    ],
    goals: [
      atMost("first line of a dashboard, of its query's time", median(firstLine.ratios), 1.5),
      atMost("a dashboard, of its ten queries' time", median(wholeTime.ratios), 1.3),
    ],
    details: { firstLine, wholeTime, firstQueries: openings.map(({ firstQuery }) => firstQuery) },
  };
}

/** Measures a hundred people who open a new dashboard at the same moment. */
async function measureCrowd(subject: ReportServer, bench: Bench): Promise<Part> {
  const { server, direct } = subject;
  const people = await addPeople(subject, personCount);
  const directMs: number[] = [];
  const serverMs: number[] = [];
  const runCounts: number[] = [];
  for (let round = 0; round < Math.min(bench.rounds, 3); round += 1) {
    const dashboard = await createFullDashboard(subject, `opened in round ${round}`);
    const [timesMs = []] = await direct.do({ kind: 'time', queries: dashboardQueries, count: 1 });
    const startedAt = performance.now();
    const openings = await Promise.all(
      people.map((person) => openDashboard(server.origin, person, dashboard, { isForced: false })),
    );
    serverMs.push(performance.now() - startedAt);
    directMs.push(timesMs.reduce((sum, timeMs) => sum + timeMs));
    // Each run of a query returns different rows.
    for (const index of dashboardQueries.keys())
      runCounts.push(new Set(openings.flatMap(({ rowsByQuery }) => [...(rowsByQuery[index] ?? [])])).size);
  }
  const compared = compare(directMs, serverMs);
  return {
    rows: [{ what: `the same for ${personCount} people at once`, ...timeColumns(compared) }],
    goals: [atMost(`runs of a query for ${personCount} people`, Math.max(...runCounts), 1)],
    details: { ...compared, runCounts },
  };
}

/** Measures cached results against the baseline. */
async function measureCache(
  subject: ReportServer,
  { drive, baseline, seconds, rounds }: Bench,
): Promise<Part> {
  const { server, account } = subject;
  const name = 'a result from the cache';
  const id = await createReport(subject, { name, query: dashboardQueries[1] ?? '' });
  const requests = [runReport(account, { name, id, isForced: false })];
  const base = { target: baseline, requests: [createDashboard(account)] };
  const pairs = [{ name, subject: { target: server, requests }, base }];
  const compared = await compareInTurn(drive, pairs, { connections, seconds, rounds });
  return {
    rows: compared.map(({ ratios, subject: measured }) => ({
      what: `${name}: requests/s`,
      Atrium: formatCount(median(measured.map(({ requestsPerSecond }) => requestsPerSecond))),
      ratio: `${formatRatios(ratios)} of the baseline`,
    })),
    goals: compared.map(({ ratios }) => ({
      what: `${name}, of the baseline`,
      value: median(ratios),
      unit: '',
      bound: { atLeast: 0.4 },
    })),
    details: compared,
  };
}

/** Measures the export of a million rows as CSV. The memory is the peak since the start, which includes the upload. */
async function measureExport(subject: ReportServer): Promise<Part> {
  const { server, account } = subject;
  const id = await createReport(subject, {
    name: 'Export',
    query: `SELECT * FROM orders LIMIT ${exportedRows}`,
  });
  const startedAt = performance.now();
  const rowCount = await download(`${server.origin}/api/reports/${id}/run`, account.cookie);
  const exportMs = performance.now() - startedAt;
  if (rowCount !== exportedRows) throw new Error(`The export had ${rowCount} rows.`);
  const serverBytes = peakMemoryBytes(server.processId);
  const workerBytes = childProcessIds(server.processId).map(peakMemoryBytes);
  return {
    rows: [
      { what: `${formatCount(rowCount)} rows as CSV`, Atrium: exportMs.toFixed(0) },
      { what: 'most memory of the server, MB', Atrium: toMegabytes(serverBytes).toFixed(0) },
      ...workerBytes.map((bytes) => ({
        what: 'most memory of a worker, MB',
        Atrium: toMegabytes(bytes).toFixed(0),
      })),
    ],
    goals: [
      {
        what: 'most memory of the server',
        value: toMegabytes(serverBytes),
        unit: 'MB',
        bound: { atMost: 300 },
      },
    ],
    details: { exportMs, serverBytes, workerBytes },
  };
}

/** Returns the number of exported rows, without the header. */
async function download(address: string, cookie: string): Promise<number> {
  const headers = { cookie, accept: 'text/csv', 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: '{}' });
  if (response.status !== 200) throw new Error(`The export answered ${response.status}.`);
  let lineCount = 0;
  for await (const bytes of response.body ?? []) {
    for (const byte of bytes as Uint8Array) if (byte === 0x0a) lineCount += 1;
  }
  return lineCount - 1;
}

const toMegabytes = (bytes: number): number => bytes / 1_000_000;

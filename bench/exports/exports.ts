import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import type { DashboardInput } from '#contract/dashboards/dashboards.ts';
import type { ReportInput } from '#contract/reports/reports.ts';
import { ordersQuery } from '../reports/orders.ts';
import { createReport, startReportServer, type ReportServer } from '../reports/server.ts';
import { median, type Bench, type Section } from '../section.ts';
import { sendForId } from '../server/account.ts';
import { peakMemoryBytes } from '../server/process-usage.ts';
import { formatRatios } from '../table.ts';

const formats = ['pdf', 'png', 'svg', 'xlsx'] as const;
type Format = (typeof formats)[number];

type Shown = Pick<ReportInput, 'query' | 'visualization'>;

const byRegion = 'SELECT region, sum(amount) AS amount FROM orders GROUP BY region ORDER BY region';
const byMonth = `SELECT date_trunc('month', ordered_at) AS month, region, sum(amount) AS amount FROM orders GROUP BY ALL ORDER BY ALL`;
const rows = 'SELECT * FROM orders ORDER BY id LIMIT 1000';
const series = [{ field: 'amount' }];

/** What the widgets of the dashboard show, in turn. */
const shown: readonly Shown[] = [
  { query: byRegion, visualization: { kind: 'bar', x: 'region', series } },
  { query: byMonth, visualization: { kind: 'line', x: 'month', series, splitBy: 'region' } },
  { query: byRegion, visualization: { kind: 'pie', category: 'region', value: 'amount' } },
  { query: rows, visualization: { kind: 'table' } },
  { query: byRegion, visualization: { kind: 'number', value: 'amount' } },
  {
    query: byMonth,
    visualization: {
      kind: 'pivot',
      rows: ['month'],
      columns: ['region'],
      values: [{ field: 'amount', aggregate: 'sum' }],
    },
  },
  { query: rows, visualization: { kind: 'scatter', x: 'quantity', y: 'amount' } },
  { query: byMonth, visualization: { kind: 'area', x: 'month', series, splitBy: 'region' } },
  { query: rows, visualization: { kind: 'histogram', value: 'amount' } },
];
const widgetCount = 20;
const textCount = 2;
const text = '# Orders\n\nA **text** with a list:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';

/** One export as it was measured. */
interface Measured {
  readonly timeMs: number;
  /** The most memory that its worker used. */
  readonly workerBytes: number;
  /** How long an empty program of Node took at the same time. */
  readonly emptyMs: number;
}

/** Measures exports of a dashboard of 20 widgets whose results are cached, from the request to the end of the file. */
export async function measureExports(bench: Bench): Promise<Section> {
  const subject = await startReportServer(ordersQuery(bench.isQuick ? 10_000 : 1_000_000), 'orders');
  const id = await createDashboardOfAll(subject);
  const measured = new Map<Format, Measured[]>(formats.map((format) => [format, []]));
  // The first export runs the queries.
  await exportOnce(subject, id, 'pdf');
  for (let round = 0; round < bench.rounds; round += 1)
    for (const format of formats) measured.get(format)?.push(await exportOnce(subject, id, format));
  await subject.server.stop();
  subject.direct.stop();
  const pdf = measured.get('pdf') ?? [];
  return {
    title: `Exports of a dashboard of ${widgetCount} widgets, against an empty program of Node: medians`,
    rows: [...measured].map(([format, all]) => ({
      format: format.toUpperCase(),
      ms: median(all.map(({ timeMs }) => timeMs)).toFixed(0),
      'memory of the worker, MB': (Math.max(...all.map(({ workerBytes }) => workerBytes)) / 1e6).toFixed(0),
      ratio: formatRatios(all.map(({ timeMs, emptyMs }) => timeMs / emptyMs)),
    })),
    goals: [
      {
        what: `PDF of ${widgetCount} widgets`,
        value: median(pdf.map(({ timeMs }) => timeMs)),
        unit: 'ms',
        bound: { atMost: 3_000 },
      },
      {
        what: 'most memory of its worker',
        value: Math.max(...pdf.map(({ workerBytes }) => workerBytes)) / 1e6,
        unit: 'MB',
        bound: { atMost: 200 },
      },
    ],
    details: Object.fromEntries(measured),
  };
}

async function createDashboardOfAll(subject: ReportServer): Promise<string> {
  const { server, account } = subject;
  const reportIds: string[] = [];
  for (const [index, each] of shown.entries())
    reportIds.push(await createReport(subject, { name: `Report ${index}`, ...each }));
  const widgets = Array.from({ length: widgetCount }, (_, index) => ({
    ...(index < textCount
      ? { reportId: 'builtin:text', config: { text } }
      : { reportId: reportIds[(index - textCount) % reportIds.length] ?? '' }),
    layout: { x: (index % 2) * 6, y: Math.floor(index / 2) * 6, w: 6, h: 6 },
  }));
  const input: DashboardInput = { name: 'Orders', organizationId: account.organizationId, widgets };
  return sendForId(server.origin, {
    name: 'create a dashboard',
    method: 'POST',
    path: '/api/dashboards',
    headers: { cookie: account.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(input),
    status: 201,
  });
}

async function exportOnce({ server, account }: ReportServer, id: string, format: Format): Promise<Measured> {
  const startedAt = performance.now();
  let workerBytes = 0;
  const watch = setInterval(() => {
    workerBytes = Math.max(workerBytes, workerMemoryBytes());
  }, 20);
  const response = await fetch(`${server.origin}/api/dashboards/${id}/export?file-format=${format}`, {
    headers: { cookie: account.cookie },
  });
  const file = await response.arrayBuffer();
  const timeMs = performance.now() - startedAt;
  clearInterval(watch);
  if (response.status !== 200 || file.byteLength < 1_000)
    throw new Error(
      `An export answered ${response.status}: ${Buffer.from(file).toString('utf8').slice(0, 500)}`,
    );
  return { timeMs, workerBytes, emptyMs: await timeEmptyProgram() };
}

/** Returns the most memory that the running worker of an export has used; 0 if there is none. */
function workerMemoryBytes(): number {
  if (process.platform !== 'linux') return 0;
  let bytes = 0;
  for (const name of readdirSync('/proc')) {
    try {
      if (!/^\d+$/.test(name)) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      // Its sandbox has the same arguments in its command line.
      if (!command[0]?.endsWith('node') || !command.some((part) => part.endsWith('export-process.ts')))
        continue;
      bytes = Math.max(bytes, peakMemoryBytes(Number(name)));
    } catch {
      // The process has ended.
    }
  }
  return bytes;
}

async function timeEmptyProgram(): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, ['--eval', '0']);
  return performance.now() - startedAt;
}

import type { Dashboard, DashboardInput } from '#contract/dashboards/dashboards.ts';
import { send, signIn } from '../server/account.ts';
import { startAtrium, type AtriumServer } from '../server/atrium-server.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import type { Measurement } from '../load/generator.ts';
import {
  createDashboard,
  readDashboard,
  saveDashboard,
  type Account,
  type LoadRequest,
} from '../load/requests.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatRatios, speedColumns } from '../table.ts';

const connections = 50;
const widgetCount = 10;
/** The goals, as parts of the baseline's speed. */
const minRatios = { read: 0.5, save: 0.15 } as const;

interface Measured {
  readonly name: string;
  readonly atLeast: number;
  readonly subject: Measurement[];
  readonly ratios: number[];
}

/**
 * Measures dashboards of ten widgets against the baseline's POST of two. Each save is based on the first version, although
 * a second one was stored, and changes a widget that no other save changes: so every save is merged and stored.
 */
export async function measureDashboardRatios(bench: Bench): Promise<Section> {
  const { drive, baseline, seconds, rounds, isQuick } = bench;
  const savesARound = isQuick ? 500 : 3000;
  const server = await startAtrium(makeTemporaryDirectory());
  const account = await signIn(server.origin);
  const saves = await prepareSaves(server, account, ((rounds + 1) * savesARound) / widgetCount);
  const { id } = (await send(server.origin, createOfTen(account))) as Dashboard;
  const reads = [{ ...readDashboard(account, id), name: 'read a dashboard of 10 widgets' }];
  const read: Measured = { name: 'read 10 widgets', atLeast: minRatios.read, subject: [], ratios: [] };
  const save: Measured = { name: 'save with merge', atLeast: minRatios.save, subject: [], ratios: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const base = await drive(baseline, {
      connections,
      requests: [createDashboard(account)],
      until: { seconds },
    });
    const reading = await drive(server, { connections, requests: reads, until: { seconds } });
    // One more than the run sends, since the first of a kind is sent before the run.
    const requests = saves.slice(round * savesARound, (round + 1) * savesARound);
    const until = { requestCount: savesARound - connections };
    const saving = await drive(server, { connections, requests, until });
    if (round === 0) continue;
    for (const [measured, result] of [
      [read, reading],
      [save, saving],
    ] as const) {
      measured.subject.push(result);
      measured.ratios.push(result.requestsPerSecond / base.requestsPerSecond);
    }
  }
  await server.stop();
  const all = [read, save];
  return {
    title: `Dashboards of ${widgetCount} widgets against the baseline: ${connections} connections, medians of ${rounds} rounds`,
    rows: all.map(({ name, subject, ratios }) => ({
      request: name,
      ...speedColumns(subject),
      'of the baseline': formatRatios(ratios),
    })),
    goals: all.map(({ name, atLeast, ratios }) => ({
      what: `${name}, of the baseline`,
      value: median(ratios),
      unit: '',
      bound: { atLeast },
    })),
    details: all,
  };
}

const createOfTen = (account: Account): LoadRequest => {
  const request = createDashboard(account);
  const input = JSON.parse(request.body ?? '') as DashboardInput;
  const [first] = input.widgets ?? [];
  const widgets = Array.from({ length: widgetCount }, (_, index) => ({
    ...first,
    layout: { x: (index % 2) * 6, y: Math.floor(index / 2) * 4, w: 6, h: 4 },
  }));
  return { ...request, body: JSON.stringify({ ...input, widgets }) };
};

/** Creates dashboards with two versions each. Returns ten saves of each that are based on the first version. */
async function prepareSaves(server: AtriumServer, account: Account, count: number): Promise<LoadRequest[]> {
  const saves: LoadRequest[] = [];
  for (let made = 0; made < count; made += connections) {
    const length = Math.min(connections, count - made);
    const ofEach = await Promise.all(Array.from({ length }, () => prepareSavesOfOne(server, account)));
    // The saves of one dashboard are far apart, so that few wait for each other.
    for (let index = 0; index < widgetCount; index += 1) {
      saves.push(...ofEach.flatMap((one) => one[index] ?? []));
    }
  }
  return saves;
}

async function prepareSavesOfOne({ origin }: AtriumServer, account: Account): Promise<LoadRequest[]> {
  const { id, name, widgets } = (await send(origin, createOfTen(account))) as Dashboard;
  await send(origin, saveDashboard(account, { id, edit: { name: `${name} 2`, widgets } }));
  return widgets.map((_, changed) => {
    const edited = widgets.map((widget, index) =>
      index === changed ? { ...widget, config: { ...widget.config, title: 'Changed' } } : widget,
    );
    return saveDashboard(account, { id, edit: { name, widgets: edited } });
  });
}

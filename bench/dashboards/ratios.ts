import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { send, signIn } from '../server/account.ts';
import { startAtrium } from '../server/atrium-server.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import type { Measurement } from '../load/generator.ts';
import { createDashboard, readDashboard } from '../load/requests.ts';
import { createOfTen, prepareSaves, widgetCount } from '../load/saves.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatRatios, speedColumns } from '../table.ts';

const connections = 50;
/** The goals, as parts of the baseline's speed. */
const minRatios = { read: 0.5, save: 0.15 } as const;

interface Measured {
  readonly name: string;
  readonly atLeast: number;
  readonly subject: Measurement[];
  readonly ratios: number[];
}

/**
 * Measures dashboards of ten widgets against the baseline's POST of two.
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

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { waitForIndex } from '../dashboards/indexed.ts';
import { storeDashboards } from '../dashboards/stored.ts';
import { send, signIn } from '../server/account.ts';
import { startAtrium } from '../server/atrium-server.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../server/leftovers.ts';
import { childProcessIds, processorTimeUs, residentMemoryBytes } from '../server/process-usage.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatCount } from '../table.ts';
import { sendBusyMinutes, type Times } from './busy-minutes.ts';
import { storePeople } from './people.ts';

/** Measures what servers for 100, 1,000 and 10,000 people use in their busiest minutes. */
export async function measureSizing({ isQuick }: Bench): Promise<Section> {
  const measured = [];
  for (const count of isQuick ? [100] : [100, 1_000, 10_000])
    measured.push(await measureOffice(count, isQuick));
  return {
    title: 'Busy minutes of an organization, with one server and its embedded database',
    rows: measured,
    goals: [],
    details: measured,
  };
}

async function measureOffice(count: number, isQuick: boolean): Promise<Record<string, string>> {
  const directory = makeTemporaryDirectory();
  const first = await startAtrium(directory);
  const { cookie, organizationId } = await signIn(first.origin);
  const { dashboardId } = (await send(first.origin, {
    name: 'sample',
    method: 'POST',
    path: `/api/organizations/${organizationId}/sample`,
    headers: { cookie },
    status: 201,
  })) as { dashboardId: string };
  await first.stop();
  const people = storePeople(directory, count);
  await storeDashboards(directory, { dashboardCount: Math.ceil(count / 2), neighborCount: 0 });
  const server = await startAtrium(directory);
  const account = await signIn(server.origin);
  await waitForIndex(server.origin, account);
  const office = { origin: server.origin, people, organizationId, dashboardId };
  // Fills the caches, and starts the workers.
  await sendBusyMinutes({ ...office, people: people.slice(0, 100) }, isQuick ? 2 : 10);
  const seconds = isQuick ? 5 : 60;
  const usage = watch(server.processId);
  const times = await sendBusyMinutes(office, seconds);
  const used = usage.end(seconds);
  await server.stop();
  const databaseBytes = statSync(join(directory, 'atrium.sqlite')).size;
  removeTemporaryDirectory(directory);
  return {
    people: formatCount(count),
    'server: % of a core': (100 * used.server).toFixed(1),
    'queries: % of a core': (100 * used.workers).toFixed(1),
    'server MB': (used.serverBytes / 1e6).toFixed(0),
    'with workers MB': ((used.serverBytes + used.workerBytes) / 1e6).toFixed(0),
    'database MB': (databaseBytes / 1e6).toFixed(1),
    ...columns(times),
  };
}

const names: Record<keyof Times, string> = { open: 'open', list: 'list', write: 'create', signIn: 'sign in' };

const columns = (times: Times): Record<string, string> =>
  Object.fromEntries(
    Object.entries(times).map(([kind, values]) => [
      `${names[kind as keyof Times]} ms (p95)`,
      `${median(values).toFixed(0)} (${percentile(values, 0.95).toFixed(0)})`,
    ]),
  );

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? NaN;

/** Samples the processor time and memory of a server and its query workers, which can end. */
function watch(processId: number): {
  end(seconds: number): Record<'server' | 'workers' | 'serverBytes' | 'workerBytes', number>;
} {
  const startUs = processorTimeUs(processId) ?? NaN;
  const spent = new Map<number, { first: number; last: number }>();
  let serverBytes = 0;
  let workerBytes = 0;
  const sample = () => {
    let now = 0;
    for (const id of descendants(processId)) {
      try {
        const used = processorTimeUs(id) ?? 0;
        spent.set(id, { first: spent.get(id)?.first ?? used, last: used });
        now += residentMemoryBytes(id);
      } catch {
        // It has just ended.
      }
    }
    workerBytes = Math.max(workerBytes, now);
    serverBytes = Math.max(serverBytes, residentMemoryBytes(processId));
  };
  sample();
  const timer = setInterval(sample, 250);
  return {
    end(seconds) {
      clearInterval(timer);
      sample();
      const workersUs = [...spent.values()].reduce((sum, { first, last }) => sum + last - first, 0);
      return {
        server: ((processorTimeUs(processId) ?? NaN) - startUs) / 1e6 / seconds,
        workers: workersUs / 1e6 / seconds,
        serverBytes,
        workerBytes,
      };
    },
  };
}

const descendants = (processId: number): number[] =>
  childProcessIds(processId).flatMap((id) => {
    try {
      return [id, ...descendants(id)];
    } catch {
      return [];
    }
  });

import { compareInTurn } from '../load/comparison.ts';
import { createDashboard } from '../load/requests.ts';
import { median, type Bench, type Section } from '../section.ts';
import { signIn } from './account.ts';
import { startAtrium } from './atrium-server.ts';
import { makeTemporaryDirectory } from './leftovers.ts';

const connections = 50;
const token = 'a-token-of-the-benchmark-with-32-characters';

/** Measures creating dashboards on a server with metrics against one without. */
export async function measureMetricsCost({ drive, seconds, rounds }: Bench): Promise<Section> {
  const startSide = async (settings: Readonly<Record<string, string>>) => {
    const target = await startAtrium(makeTemporaryDirectory(), settings);
    return { target, requests: [createDashboard(await signIn(target.origin))] };
  };
  const subject = await startSide({ ATRIUM_METRICS_TOKEN: token });
  const base = await startSide({});
  const pair = { name: 'create a dashboard', subject, base };
  const comparisons = await compareInTurn(drive, [pair], { connections, seconds, rounds });
  await Promise.all([subject.target.stop(), base.target.stop()]);
  const times = (side: 'subject' | 'base') =>
    comparisons.flatMap((comparison) => comparison[side].map(({ processorUs = NaN }) => processorUs));
  const [withMetrics, without] = [median(times('subject')), median(times('base'))];
  const value = withMetrics / without;
  return {
    title: `The cost of metrics: ${connections} connections, medians of ${rounds} rounds of ${seconds} s`,
    rows: [
      {
        request: pair.name,
        without: `${without.toFixed(1)} µs`,
        'with metrics': `${withMetrics.toFixed(1)} µs`,
      },
    ],
    goals: [
      { what: 'processor time with metrics, of that without', value, unit: '', bound: { atMost: 1.02 } },
    ],
    details: comparisons,
  };
}

import { startAtrium } from './atrium-server.ts';
import { makeTemporaryDirectory } from './leftovers.ts';
import { median, type Bench, type Section } from '../section.ts';

/**
 * Measures the time from the start of the process to its first response, on a fresh and on an existing data
 * directory.
 */
export async function measureStartTime({ isQuick }: Bench): Promise<Section> {
  const repetitions = isQuick ? 1 : 5;
  const times = { fresh: [] as number[], existing: [] as number[] };
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const directory = makeTemporaryDirectory();
    times.fresh.push(await startAndStop(directory));
    times.existing.push(await startAndStop(directory));
  }
  const results = [
    { name: 'fresh data directory, with its first owner', timesMs: times.fresh },
    { name: 'existing data directory', timesMs: times.existing },
  ];
  return {
    title: 'From the start of the process to its first response',
    rows: results.map(({ name, timesMs }) => ({
      start: name,
      'median ms': median(timesMs).toFixed(0),
      'least ms': Math.min(...timesMs).toFixed(0),
      'most ms': Math.max(...timesMs).toFixed(0),
    })),
    goals: results.map(({ name, timesMs }) => ({
      what: `start, ${name}`,
      value: median(timesMs),
      unit: 'ms',
      bound: { atMost: 1000 },
    })),
    details: results,
  };
}

async function startAndStop(directory: string): Promise<number> {
  const server = await startAtrium(directory);
  await server.stop();
  return server.startMs;
}

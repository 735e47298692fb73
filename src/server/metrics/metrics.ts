import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry, type Metric as LibraryMetric } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { createReading } from '../base/reading.ts';
import { createRequestMetrics } from './requests.ts';
import type { Labels, Metric, Sample } from './series.ts';
import { createStateMetrics, type WatchedServer } from './state.ts';
import { createWorkMetrics, type WorkMetrics } from './work.ts';

/** The metrics of this process. */
export interface Metrics extends Omit<WorkMetrics, 'metrics'> {
  /** Counts the requests of a server. Call it before the server has routes. */
  observeRequests(server: FastifyInstance): void;
  /** Adds the metrics that are read from the server when they are scraped. */
  watch(server: WatchedServer): void;
  /** Returns the metrics in the text format of Prometheus, at most a second old. A part that fails is left out. */
  scrape(): Promise<string>;
}

/** Gauges of Node whose names end in `_total`, which Prometheus reserves for counters. */
const misnamed = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];
const freshMs = 1_000;
/** Longer than that of what is read. */
const deadlineMs = 5_000;

/** `build` labels the metric `atrium_build_info`. */
export function createMetrics(clock: Clock, build: Labels): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const requests = createRequestMetrics();
  const { metrics: workMetrics, ...work } = createWorkMetrics();

  function add(metrics: readonly Metric[]): void {
    for (const metric of metrics) registry.registerMetric(toLibraryMetric(metric));
  }

  add([
    {
      name: 'atrium_build_info',
      help: 'The versions of this server.',
      type: 'gauge',
      read: () => [{ labels: build, value: 1 }],
    },
    ...requests.metrics,
    ...workMetrics,
  ]);
  const readText = createReading(clock, freshMs, () => registry.metrics(), deadlineMs);
  return {
    ...work,
    observeRequests: requests.observe,
    watch: (server) => add(createStateMetrics(server)),
    scrape: async () => {
      const text = await readText();
      if (text === undefined) throw new AtriumError('unavailable', 'The metrics could not be read in time.');
      return text;
    },
  };
}

/** Sound because a registry only uses the name and `get` of a metric. */
const toLibraryMetric = ({ name, help, type, read }: Metric): LibraryMetric =>
  ({
    name,
    get: async () => ({
      name,
      help,
      type,
      values: (await readSafely(read)).map(({ labels = {}, value, suffix = '' }) => ({
        labels,
        value,
        metricName: name + suffix,
      })),
    }),
  }) as unknown as LibraryMetric;

async function readSafely(read: Metric['read']): Promise<readonly Sample[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}

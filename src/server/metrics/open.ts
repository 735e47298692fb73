import type { Clock } from '../base/clock.ts';
import type { Settings } from '../settings/settings.ts';
import type { Metrics } from './metrics.ts';

/**
 * Returns metrics if a setting turns them on, and otherwise undefined. Only then is prom-client loaded, so that the
 * server starts faster without it.
 */
export async function openMetricsIfWanted(
  { metricsPort, metricsToken, databaseUrl }: Settings,
  clock: Clock,
  { version, nodeVersion }: { readonly version: string; readonly nodeVersion: string },
): Promise<Metrics | undefined> {
  if (metricsPort === undefined && metricsToken === undefined) return undefined;
  const { createMetrics } = await import('./metrics.ts');
  const database = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  return createMetrics(clock, { version, node_version: nodeVersion, database });
}

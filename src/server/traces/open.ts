import type { Environment } from '../settings/values.ts';
import type { Traces, TracesOptions } from './traces.ts';

/**
 * Returns traces if the standard variables of OpenTelemetry name an endpoint, and otherwise undefined. Only then are its
 * libraries loaded. Throws a `StartError` if a variable has an invalid value.
 */
export async function openTracesIfWanted(
  environment: Environment,
  options: TracesOptions,
): Promise<Traces | undefined> {
  const read = (name: string) => environment[name]?.trim().toLowerCase() ?? '';
  const endpoint = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const isOff = read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  if (endpoint === '' || isOff) return undefined;
  const { openTraces } = await import('./open-telemetry.ts');
  return openTraces(environment, options);
}

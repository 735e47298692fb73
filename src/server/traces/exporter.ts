import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { StartError } from '../base/errors.ts';
import type { Environment } from '../settings/values.ts';

/** Returns the exporter for the protocol. It reads its other variables by itself: the endpoint, headers and so on. */
export async function createExporter(environment: Environment): Promise<SpanExporter> {
  const variable =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  const endpoint =
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  if (!['http:', 'https:'].includes(URL.parse(endpoint.trim())?.protocol ?? ''))
    throw new StartError('OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// URL.');
  switch (environment[variable]?.trim() ?? '') {
    case '':
    case 'http/protobuf': {
      const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
      return new OTLPTraceExporter();
    }
    case 'http/json': {
      const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
      return new OTLPTraceExporter();
    }
    default:
      throw new StartError(`${variable} must be http/protobuf or http/json.`);
  }
}

/** Returns the sampler of the specification's variables; by default, what the client samples, and everything else. */
export function createSampler(environment: Environment): Sampler {
  const ratioText = environment['OTEL_TRACES_SAMPLER_ARG']?.trim() ?? '';
  const ratio = ratioText === '' ? 1 : Number(ratioText);
  if (!(ratio >= 0 && ratio <= 1))
    throw new StartError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  const samplers: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
    parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    parentbased_traceidratio: () => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
  };
  const name = environment['OTEL_TRACES_SAMPLER']?.trim() || 'parentbased_always_on';
  const create = Object.hasOwn(samplers, name) ? samplers[name] : undefined;
  if (create === undefined)
    throw new StartError(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(samplers).join(', ')}.`);
  return create();
}

/** Returns an exporter that also reports failures, which the library would hide. */
export function reportingExporter(exporter: SpanExporter, onFailure: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onFailure(result.error);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

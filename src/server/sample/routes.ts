import { createSampleSource } from '#contract/data-sources.ts';
import type { Serve } from '../http/serve.ts';
import { createSample, type SampleDependencies } from './sample.ts';

export function serveSample(serve: Serve, dependencies: SampleDependencies): void {
  serve(createSampleSource, ({ actor, params }) => createSample(dependencies, actor, params.orgId));
}

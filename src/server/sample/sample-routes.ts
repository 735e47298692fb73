import { createSampleSource } from '#contract/data-sources.ts';
import type { Serve } from '../http/serve.ts';
import { createSample, type SampleNeeds } from './sample.ts';

export function serveSample(serve: Serve, needs: SampleNeeds): void {
  serve(createSampleSource, ({ actor, params }) => createSample(needs, actor, params.orgId));
}

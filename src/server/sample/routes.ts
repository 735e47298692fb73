import { createSampleSource } from '#contract/data-sources/data-sources.ts';
import type { Serve } from '../http/serve.ts';
import type { SampleDependencies } from './sample.ts';

export function serveSample(serve: Serve, dependencies: SampleDependencies): void {
  serve(createSampleSource, async ({ actor, params }) => {
    // Loaded here, since most organizations never need it.
    const { createSample } = await import('./sample.ts');
    return createSample(dependencies, actor, params.orgId);
  });
}

import type { Section } from '../section.ts';
import { openDrawn, type OpenableDashboard, type WebDesk } from './desk.ts';

/** Measures the compressed JavaScript that a browser with an empty cache loads until a dashboard is rendered. */
export async function measureBytes(desk: WebDesk): Promise<Section> {
  const plain = await loadedKilobytes(desk, desk.plain);
  const sample = await loadedKilobytes(desk, desk.sample);
  return {
    title: 'JavaScript to the first dashboard, compressed, with an empty cache',
    rows: [
      { dashboard: 'without a chart', KB: plain.toFixed(1) },
      { dashboard: 'the sample, with charts', KB: sample.toFixed(1) },
    ],
    goals: [
      { what: 'without the code of charts', value: plain, unit: 'KB', bound: { atMost: 280 } },
      { what: 'with it', value: sample, unit: 'KB', bound: { atMost: 500 } },
    ],
    details: { plain, sample },
  };
}

async function loadedKilobytes(desk: WebDesk, dashboard: OpenableDashboard): Promise<number> {
  const context = await desk.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  const scripts = new Set<string>();
  let bytes = 0;
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (new URL(response.url).pathname.endsWith('.js')) scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await openDrawn(page, desk.url, dashboard);
  await context.close();
  return bytes / 1000;
}

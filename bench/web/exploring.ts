import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { tripsQuery } from '../explore/trips.ts';
import { startDirectClient } from '../reports/direct-client.ts';
import { send } from '../server/account.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import { median, type Section } from '../section.ts';
import { formatCount } from '../table.ts';
import { timeUntil, type WebDesk } from './desk.ts';

/**
 * Measures the time from frame to frame while a range is dragged in one of twelve linked charts, and the memory of the page: its
 * JavaScript, its elements, and the buffers behind both, as the browser's debugger reports them.
 */
export async function measureExploring(desk: WebDesk): Promise<Section> {
  const rowCount = desk.isQuick ? 100_000 : 10_000_000;
  const dataSourceId = await uploadTrips(desk, rowCount);
  const context = await desk.newContext();
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 1400 });
  await page.goto(`${desk.url}/data-sources/${dataSourceId}/explore?table=trips&schema=main`);
  const charts = page.getByRole('main').locator('section[aria-busy=false]');
  await charts.nth(11).waitFor({ timeout: 180_000 });
  const devtools = await context.newCDPSession(page);
  const frames = await drag(page, desk.isQuick ? 2 : 8);
  const megabytes = await pageMegabytes(devtools);
  const chartCount = await charts.count();
  await context.close();
  const sorted = frames.toSorted((one, other) => one - other);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
  return {
    title: `Dragging in one of ${chartCount} linked charts of ${formatCount(rowCount)} rows`,
    rows: [
      {
        frames: String(frames.length),
        'median ms': median(frames).toFixed(1),
        'p95 ms': p95.toFixed(1),
        'longest ms': Math.max(...frames).toFixed(1),
        'memory of the page, MB': megabytes.toFixed(1),
      },
    ],
    goals: [
      { what: 'from frame to frame, 95th percentile', value: p95, unit: 'ms', bound: { atMost: 50 } },
      { what: 'memory of the page', value: megabytes, unit: 'MB', bound: { atMost: 300 } },
    ],
    details: { frames, megabytes },
  };
}

async function uploadTrips({ url, account }: WebDesk, rowCount: number): Promise<string> {
  const direct = startDirectClient();
  const parquetFile = join(makeTemporaryDirectory(), 'trips.parquet');
  await direct.do({ kind: 'make', query: tripsQuery(rowCount), parquetFile });
  direct.stop();
  const { cookie, organizationId } = account;
  const path = `/api/organizations/${organizationId}/data-sources`;
  const headers = { cookie, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Trips', kind: 'files' });
  // Sound because the contract describes it.
  const { id } = (await send(url, { name: path, method: 'POST', path, headers, body, status: 201 })) as {
    id: string;
  };
  const uploaded = await fetch(`${url}/api/data-sources/${id}/tables/trips`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/vnd.apache.parquet' },
    body: await openAsBlob(parquetFile),
  });
  if (uploaded.status !== 200) throw new Error(`The upload returned status ${uploaded.status}.`);
  return id;
}

/** Drags a range back and forth once its indexes are loaded. Returns the times between the frames in which something moved. */
async function drag(page: Page, rounds: number): Promise<number[]> {
  const plot = page.getByRole('region', { name: 'delay', exact: true }).locator('svg[preserveAspectRatio]');
  const box = await plot.boundingBox();
  if (box === null) throw new Error('The chart has no bounding box.');
  const y = box.y + box.height / 2;
  const at = (share: number): number => box.x + box.width * share;
  await page.mouse.move(at(0.2), y);
  await page.mouse.down();
  await page.mouse.move(at(0.5), y, { steps: 5 });
  await page.evaluate(timeUntil(`(document.querySelector('main [data-stale]') === null)`, '0'));
  const before = await page.getByRole('status').filter({ hasText: 'rows selected' }).textContent();
  await page.evaluate(`window.frames = [];
    window.isDragging = true;
    requestAnimationFrame(function next(before) {
      requestAnimationFrame((now) => {
        window.frames.push(now - before);
        if (window.isDragging) next(now);
      });
    })`);
  for (let round = 0; round < rounds; round += 1) {
    await page.mouse.move(at(0.95), y, { steps: 60 });
    await page.mouse.move(at(0.3), y, { steps: 60 });
  }
  const frames = await page.evaluate<number[]>('(window.isDragging = false, window.frames)');
  const after = await page.getByRole('status').filter({ hasText: 'rows selected' }).textContent();
  if (after === before) throw new Error('The drag has selected nothing.');
  await page.mouse.up();
  return frames;
}

async function pageMegabytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  // Newer than the types of the protocol.
  const usage = (await devtools.send('Runtime.getHeapUsage')) as unknown as Record<string, number>;
  const parts = ['usedSize', 'embedderHeapUsedSize', 'backingStorageSize'];
  return parts.reduce((sum, part) => sum + (usage[part] ?? 0), 0) / 1_000_000;
}

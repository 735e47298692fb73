import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { openNewsroom } from '../support/reports/newsroom.ts';
import { expect, startWebOffice } from '../web/web-office.ts';
import { limits } from './limits.ts';

const bars: Visualization = { kind: 'bar', x: 'x', series: [{ field: 'n' }] };

test('the first dashboard needs no more JavaScript than its limit, without and with charts', async (context) => {
  const office = await startWebOffice(context);
  const { owner, organizationId, save } = await openNewsroom(office.server);

  /** Opens a dashboard in a browser with an empty cache, and returns the bytes of its scripts as they are sent. */
  async function scriptBytesOf(visualization: Visualization, locale: string): Promise<number> {
    const { id: reportId } = await save({ query: `SELECT 'a' AS x, 7 AS n`, visualization });
    const widget = { reportId, layout: { x: 0, y: 0, w: 6, h: 4 }, config: {} };
    const body = { name: 'Board', organizationId, widgets: [widget] };
    const { body: dashboard } = await office.server.call('POST /api/dashboards', { as: owner, body });
    const page = await office.open('/api/health/live', owner, { locale });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const scripts = new Set<string>();
    let bytes = 0;
    devtools.on('Network.responseReceived', ({ requestId, response }) => {
      if (new URL(response.url).pathname.endsWith('.js')) scripts.add(requestId);
    });
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(`${office.url}/dashboards/${dashboard.id}`);
    const shown = page.getByRole('article');
    await expect(visualization.kind === 'bar' ? shown.locator('canvas').first() : shown).toContainText(
      visualization.kind === 'bar' ? '' : '7',
    );
    await page.context().close();
    return bytes;
  }

  const measured = {
    withoutCharts: await scriptBytesOf({ kind: 'number', value: 'n' }, 'en'),
    withCharts: await scriptBytesOf(bars, 'en'),
    german: await scriptBytesOf({ kind: 'number', value: 'n' }, 'de'),
  };
  const { javascriptBytes } = limits;
  for (const [name, bytes] of Object.entries(measured)) {
    const { most } = javascriptBytes[name as keyof typeof measured];
    assert.ok(bytes > most / 2 && bytes <= most, `${name}: ${bytes} bytes, at most ${most}`);
  }
});

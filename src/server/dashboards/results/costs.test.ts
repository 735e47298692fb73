import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchThreadCpuTime } from '../../../../tests/support/cpu-time.ts';
import { startNewsroom } from '../../../../tests/support/reports/newsroom.ts';

test('many widgets that show one long report with different filters read it once', async (context) => {
  const newsroom = await startNewsroom(context, 'SQLite');
  const { server, owner, organizationId } = newsroom;
  const values = Array.from({ length: 1_000 }, (_, index) => `${index} ${'x'.repeat(900)}`);
  const report = await newsroom.save({
    parameters: [{ name: 'region', type: 'text', default: values[0] ?? '', allowed: { values } }],
  });
  const timeOf = async (count: number) => {
    const widgets = Array.from({ length: count }, (_, index) => ({
      reportId: report.id,
      config: { filters: { other: `f${index}` } },
    }));
    const body = { name: 'Board', organizationId, widgets };
    const { body: board } = await server.call('POST /api/dashboards', { as: owner, body });
    const cpuMs = watchThreadCpuTime();
    const { text } = await server.call(`GET /api/dashboards/${board.id}/results`, { as: owner });
    const durationMs = cpuMs();
    assert.equal(text.split('\n').length - 1, count);
    return durationMs;
  };
  await timeOf(1);
  const durationMs = await timeOf(500);
  assert.ok(durationMs < 300, `500 widgets took ${durationMs} ms`);
});

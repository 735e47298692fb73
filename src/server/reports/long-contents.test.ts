import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import { startTeam } from '../../../tests/support/dashboards/team.ts';
import { describeOnBothEngines, type Engine } from '../../../tests/support/server/test-server.ts';
import { prepare } from '../storage/prepared-query.ts';

const at = '2026-11-28T12:00:00.000Z';
/** Not JSON, so that whatever parses it fails. Long on SQLite, which follows the pages of a long column to those after it. */
const contentOf = (engine: Engine) => 'x'.repeat(engine === 'SQLite' ? 1_000_000 : 1_000);

const insert = prepare(
  (
    db,
    p: { id: string; organizationId: string; userId: string; deletedAt: string | null; content: string },
  ) =>
    db.insertInto('reports').values({
      id: p.id,
      organization_id: p.organizationId,
      user_id: p.userId,
      data_source_id: 's',
      name: p.id,
      description: 'Long',
      content: p.content,
      version: 1,
      created_at: at,
      updated_at: at,
      updated_by: p.userId,
      change: 'created',
      deleted_at: p.deletedAt,
      deleted_by: p.userId,
    }),
);

describeOnBothEngines('lists of reports', (engine) => {
  test('read no contents, however long they are', async (context) => {
    const { server, ada: as, organizationId } = await startTeam(context, engine);
    for (let index = 0; index < 102; index += 1)
      await server.database.write(async (transaction) => {
        const key = { organizationId, userId: as.id, content: contentOf(engine) };
        const id = String(index).padStart(3, '0');
        await transaction.run(insert, { ...key, id: `a${id}`, deletedAt: null });
        await transaction.run(insert, { ...key, id: `b${id}`, deletedAt: at });
      });
    const found = {
      organizationId,
      userId: as.id,
      description: 'Long',
      dataSourceId: 's',
      createdAt: at,
      updatedAt: at,
    };
    for (const [path, first] of [
      ['reports', { id: 'a101', name: 'a101', ...found }],
      ['trash/reports', { id: 'b101', name: 'b101', ...found }],
    ] as const) {
      const read = () => server.call(`GET /api/${path}?organizationId=${organizationId}&limit=102`, { as });
      await read();
      const cpuMs = watchThreadCpuTime();
      const { body, text } = await read();
      const durationMs = cpuMs();
      assert.equal(body.items?.length, 102, text.slice(0, 500));
      assert.deepEqual({ ...body.items[0], ...first }, body.items[0]);
      assert.ok(durationMs < 30, `${path} took ${durationMs} ms`);
    }
  });
});

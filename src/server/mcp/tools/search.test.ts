import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchTurns } from '../../../../tests/contract/budgets/measure.ts';
import { slowness } from '../../../../tests/support/cpu-time.ts';
import { startMcpOffice } from '../../../../tests/support/mcp/office.ts';

/** Words that take long to compare, as long as a description can be. */
const description = 'é à ñ '.repeat(1_650);
/** Twice what it should be, for busy machines. */
const maxBlockedMs = 2 * 50;

test('a search of thousands of long descriptions keeps nobody waiting', async (context) => {
  const office = await startMcpOffice(context, 'SQLite');
  const { server } = office;
  const { id } = await office.save({ name: 'R', description });
  await server.database.write((transaction) =>
    transaction.execute(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1500)
      insert into reports (id, user_id, organization_id, data_source_id, name, description, version, created_at, updated_at, updated_by, change, content)
      select printf('01%06x-0000-7000-8000-%012x', n, n), user_id, organization_id, data_source_id, name, description, version, created_at, updated_at, updated_by, change, content
      from reports, numbers where id = '${id}'`),
  );
  await office.tool('search', { words: 'first', kinds: ['folder'] });
  const turns = watchTurns();
  const { items } = (await office.tool('search', { words: 'zz' })).data;
  const blockedMs = turns.end() / Math.max(1, slowness());
  assert.deepEqual(items, []);
  assert.ok(blockedMs < maxBlockedMs, `${Math.round(blockedMs)} ms`);
});

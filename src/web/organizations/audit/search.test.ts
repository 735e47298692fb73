import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuditSearch, toAuditQuery } from './search.ts';

test('filters in the URL that are not valid are left out', () => {
  const search = { from: '2026-02-29', to: '2026-11-21', actorId: 'ada', action: 7, more: 'x' };
  assert.deepEqual(readAuditSearch(search), { to: '2026-11-21', actorId: 'ada' });
  assert.deepEqual(readAuditSearch({ from: 'yesterday', actorId: '' }), {});
});

test('days are whole days in the reader’s time zone, including the last one', () => {
  const query = toAuditQuery({ from: '2026-11-21', to: '2026-11-30', action: 'member.removed' });
  assert.deepEqual(query, {
    from: new Date(2026, 10, 21).toISOString(),
    to: new Date(2026, 11, 1).toISOString(),
    action: 'member.removed',
  });
  assert.deepEqual(toAuditQuery({}), {});
});

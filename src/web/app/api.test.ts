import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, Unreachable } from './api.ts';

test('a create is sent with the same idempotency key until it succeeds', async (context) => {
  const keys: (string | null)[] = [];
  const outcomes: (() => Response)[] = [];
  context.mock.method(globalThis, 'fetch', async (_address: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get('idempotency-key'));
    return outcomes.shift()?.();
  });
  const broken = () => {
    throw new TypeError('fetch failed');
  };
  const unavailable = () =>
    new Response(
      JSON.stringify({ code: 'unavailable', detail: 'The database did not confirm the change.' }),
      {
        status: 503,
        headers: { 'content-type': 'application/problem+json' },
      },
    );
  const created = () => Response.json({ id: 'd' }, { status: 201 });
  const create = (name: string, outcome: () => Response) => {
    outcomes.push(outcome);
    return call('POST /api/dashboards', { body: { name } });
  };

  await assert.rejects(create('Sales', broken), Unreachable);
  await assert.rejects(create('Sales', unavailable), { code: 'unavailable' });
  await create('Plan', created);
  await create('Sales', created);
  await create('Sales', created);
  outcomes.push(() => Response.json({ items: [] }));
  await call('GET /api/dashboards');
  const [first, second, ofPlan, third, another, ofList] = keys;
  assert.match(first ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual([second, third], [first, first]);
  assert.equal(new Set([first, ofPlan, another]).size, 3);
  assert.equal(ofList, null);
});

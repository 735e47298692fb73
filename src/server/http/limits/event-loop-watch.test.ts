import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { threadCpuMs } from '../../../../tests/support/cpu-time.ts';
import { watchEventLoop } from './event-loop-watch.ts';

test('a blocked event loop is logged, with the requests in progress', async (context) => {
  const log: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) };
  const server = Fastify({ logger: { level: 'warn', stream } });
  context.after(() => server.close());
  watchEventLoop(server, process);
  const patient = Promise.withResolvers<string>();
  server.get('/quick', async () => 'quick');
  server.get('/patient/:id', () => patient.promise);
  server.get('/greedy/:id', async () => {
    const startedMs = threadCpuMs();
    while (threadCpuMs() - startedMs < 300);
    return 'done';
  });
  const origin = await server.listen({ port: 0 });
  await (await fetch(`${origin}/quick`)).text();
  const waiting = fetch(`${origin}/patient/1`);
  assert.equal(await (await fetch(`${origin}/greedy/2?q=secret`)).text(), 'done');
  const find = () => log.find(({ requests }) => JSON.stringify(requests).includes('/greedy/:id'));
  while (find() === undefined) await setImmediate();
  patient.resolve('done');
  await (await waiting).text();

  const { level, msg, blockedMs, cpuMs, requests } = find() ?? assert.fail();
  assert.deepEqual([level, msg], [40, 'The event loop was blocked']);
  assert.ok(Number(blockedMs) > 200 && Number(cpuMs) > 100, `${String(blockedMs)} ms, ${String(cpuMs)} ms`);
  const routes = (requests as { requestId: string; method: string; route: string }[]).map(
    ({ requestId, ...request }) => ({ ...request, hasId: requestId !== '' }),
  );
  assert.deepEqual(
    routes.filter(({ route }) => route !== '/quick'),
    [
      { method: 'GET', route: '/patient/:id', hasId: true },
      { method: 'GET', route: '/greedy/:id', hasId: true },
    ],
  );
  assert.doesNotMatch(JSON.stringify(log), /secret/);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import { startTestServer } from '../../../tests/support/server/test-server.ts';
import { countRepeats } from './repeats.ts';

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

function createLog(options: Parameters<typeof countRepeats>[0]) {
  const lines: Line[] = [];
  const repeats = countRepeats(options);
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
  const { log } = Fastify({ logger: { stream, hooks: { logMethod: repeats.logMethod } } });
  repeats.reportTo(log);
  return { lines, repeats, log, messages: () => lines.map(({ msg }) => msg) };
}

describe('a repeated warning or error', () => {
  test('is logged at once, and then counted, until a window passes without one', (context) => {
    let now = 0;
    context.mock.method(performance, 'now', () => now);
    context.mock.timers.enable({ apis: ['setInterval'] });
    const passMinute = (): void => {
      for (let part = 0; part < 6; part += 1) {
        now += 10_000;
        context.mock.timers.tick(10_000);
      }
    };
    const { log, lines, messages } = createLog({});
    const repeat = (id: number) => log.child({ requestId: id }).error({ err: failure(id) }, 'It failed');
    for (let id = 0; id < 10; id += 1) repeat(id);
    assert.deepEqual(messages(), ['It failed']);
    passMinute();
    repeat(10);
    assert.equal(lines.length, 2);
    passMinute();
    assert.deepEqual(messages(), ['It failed', 'Repeated: It failed', 'Repeated: It failed']);
    assert.deepEqual(
      lines.map(({ level, repeatedCount }) => [level, repeatedCount]),
      [
        [50, undefined],
        [50, 9],
        [50, 1],
      ],
    );
    passMinute();
    repeat(11);
    assert.deepEqual(messages().slice(3), ['It failed']);
  });

  test('equals only one of the same level, message, kind and place', () => {
    const { log, lines, repeats, messages } = createLog({});
    for (let round = 0; round < 3; round += 1) {
      log.warn({ code: 'a', durationMs: round }, 'One');
      log.warn({ code: 'b', durationMs: round }, 'One');
      log.error({ code: 'a' }, 'One');
      log.error({ err: failure(round) }, 'One');
      log.error({ err: Object.assign(failure(round), { code: 'EIO' }) }, 'One');
      log.error({ err: new Error(`It failed ${round}`) }, 'One');
      log.error('One');
      log.info({ code: 'a' }, 'Not counted');
    }
    assert.equal(messages().filter((message) => message === 'One').length, 7);
    assert.equal(messages().filter((message) => message === 'Not counted').length, 3);
    repeats.flush();
    const counts = lines.filter(({ msg }) => msg.startsWith('Repeated: '));
    assert.deepEqual(
      counts.map(({ repeatedCount }) => repeatedCount),
      [2, 2, 2, 2, 2, 2, 2],
    );
    repeats.flush();
    assert.equal(messages().filter((message) => message.startsWith('Repeated')).length, 7);
  });

  test('takes a limited amount of memory, however many different ones there are', () => {
    const { log, lines, repeats } = createLog({ maxKnown: 3 });
    for (let round = 0; round < 2; round += 1)
      for (let kind = 0; kind < 100; kind += 1) log.warn({ kind: `kind ${kind}` }, 'Many');
    repeats.flush();
    assert.equal(lines.length, 200, 'all were logged, since none was remembered');
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    log.warn({ circular }, 'Circular');
    log.warn({ circular }, 'Circular');
    assert.equal(lines.length, 201);
  });
});

function failure(number: number): Error {
  return new Error(`Request ${number} failed for 0af7651916cd-${number}`);
}

test('a thousand failing requests are a handful of lines, whose counts add up', async (context) => {
  const server = await startTestServer(context, 'SQLite');
  server.expectErrors();
  const as = await server.createPerson();
  await server.database.write((transaction) =>
    transaction.execute('alter table dashboards rename column name to title'),
  );
  for (let count = 0; count < 1_000; count += 1)
    assert.equal((await server.call('POST /api/dashboards', { as, body: { name: 'canary' } })).status, 500);
  await server.app.close();
  const lines = server.log
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg.endsWith('A request failed'));
  assert.ok(lines.length <= 5, String(lines.length));
  assert.equal(
    lines.reduce((sum, { repeatedCount }) => sum + Number(repeatedCount ?? 1), 0),
    1_000,
  );
  assert.doesNotMatch(JSON.stringify(lines), /canary/);
});

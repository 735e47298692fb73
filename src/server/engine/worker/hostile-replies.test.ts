import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { makeFilesSource } from '../../../../tests/support/data-sources/files-source.ts';
import { createQueryEngine, type QueryEngine } from '../query-engine.ts';
import { QueryFailure } from '../failure.ts';
import { createNoSandbox } from '../sandbox/no-sandbox.ts';

/** Returns the program of a worker that runs `attack` once it gets a job. */
const programOf = (attack: string): string => `
  import { writeSync } from 'node:fs';
  import { Socket } from 'node:net';
  const channel = new Socket({ fd: 3 });
  const frame = (...parts) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, body]);
  };
  const reply = (json, rows = '') => {
    const head = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.length);
    channel.write(frame(length, head, rows));
  };
  let jobs = 0;
  channel.on('data', (bytes) => {
    if (!/kind.+?(run|stream|describe|test)/s.test(bytes.toString('latin1')) || jobs++ > 0) return;
    ${attack}
  });
`;

const done = { kind: 'done', outputBytes: 0 };
const columns = [{ name: 'a', type: 'integer', sourceType: 'INTEGER' }];
const rows = { columns, rowCount: 1, isCutOff: false, durationMs: 1 };

const attacks: Readonly<Record<string, string>> = {
  'bytes that are not a frame': `channel.write(Buffer.alloc(1_000, 255));`,
  'a frame that is longer than any reply': `channel.write(Buffer.from([127, 255, 255, 255, 1]));`,
  'an empty frame': `channel.write(frame());`,
  'a frame that ends within its header': `channel.write(frame([255, 255, 255, 255], '{}'));`,
  'text that is not JSON': `reply('{');`,
  'deeply nested JSON': `reply('['.repeat(1_000_000));`,
  null: `reply(null);`,
  'a reply without a kind': `reply({});`,
  'a failure without a code': `reply({ kind: 'failed' });`,
  'a failure with an unknown code': `reply({ kind: 'failed', failure: { code: 'internal', message: '' }, outputBytes: 0 });`,
  'a reply without a result': `reply(${JSON.stringify(done)});`,
  'a result of another kind of job': `reply(${JSON.stringify({ ...done, result: { kind: 'stream', rowCount: 1 } })});`,
  'columns that are not a list': `reply(${JSON.stringify({ ...done, result: { kind: 'run', rows: { ...rows, columns: { length: 1 } } } })});`,
  'a row count that is not a number': `reply(${JSON.stringify({ ...done, result: { kind: 'run', rows: { ...rows, rowCount: '1' } } })});`,
  'the start of a stream that was not requested': `reply(${JSON.stringify({ kind: 'started', columns })});`,
  'a __proto__ property': `reply('{"kind":"done","outputBytes":0,"result":{"kind":"run","rows":{},"__proto__":{"polluted":true}}}');`,
};

describe('a worker that runs hostile code', () => {
  for (const [name, attack] of Object.entries(attacks)) {
    it(`is killed, and nothing else, when it sends ${name}`, async (context) => {
      const engine = startEngine(context, attack);
      const source = await makeFilesSource(context, {});
      const request = { organizationId: 'one', source, sql: 'SELECT 1' };
      await assert.rejects(engine.run(request), isLost);
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    });
  }

  it('can still send a result, which only its own organization sees', async (context) => {
    const reply = { ...done, result: { kind: 'run', rows } };
    const engine = startEngine(context, `reply(${JSON.stringify(reply)}, '[[1]]');`);
    const source = await makeFilesSource(context, {});
    const result = await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' });
    assert.equal(Buffer.from(result.rowsJson).toString(), '[[1]]');
  });

  it('is replaced when it promises more bytes than it writes', async (context) => {
    const reply = { kind: 'done', result: { kind: 'stream', rowCount: 0 }, outputBytes: 1_000 };
    const attack = `reply(${JSON.stringify({ kind: 'started', columns })}); reply(${JSON.stringify(reply)});`;
    const engine = startEngine(context, attack, { streamTimeoutMs: 5_000 });
    const source = await makeFilesSource(context, {});
    const { body } = await engine.stream({ organizationId: 'one', source, sql: 'SELECT 1' }, 'csv');
    await assert.rejects(text(body), (error) => error instanceof QueryFailure && error.code === 'timeout');
    await waitUntilIdle(engine);
  });

  it('ends a stream that has no columns', async (context) => {
    const reply = { kind: 'done', result: { kind: 'stream', rowCount: 0 }, outputBytes: 0 };
    const engine = startEngine(context, `reply(${JSON.stringify(reply)});`);
    const source = await makeFilesSource(context, {});
    await assert.rejects(engine.stream({ organizationId: 'one', source, sql: 'SELECT 1' }, 'csv'), isLost);
  });
});

const isLost = (error: unknown): boolean => error instanceof QueryFailure && error.code === 'worker_lost';

/** Returns an engine whose workers run the attack. */
function startEngine(context: TestContext, attack: string, { streamTimeoutMs = 20_000 } = {}): QueryEngine {
  const sandbox = createNoSandbox('', '');
  const engine = createQueryEngine({
    sandbox: {
      ...sandbox,
      launch: (view) => sandbox.launch(view, ['--input-type=module', '--eval', programOf(attack)]),
    },
    limits: { timeoutMs: 20_000, streamTimeoutMs },
  });
  context.after(() => engine.close());
  return engine;
}

/** Resolves when no worker is busy. If one stays busy, the test runner's time limit ends the wait. */
async function waitUntilIdle(engine: QueryEngine): Promise<void> {
  while (engine.workers().some(({ isBusy }) => isBusy)) await new Promise((resolve) => setImmediate(resolve));
}

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { makeFilesSource } from '../../../../tests/support/data-sources/files-source.ts';
import { createQueryEngine, type QueryEngine } from '../query-engine.ts';
import { QueryFailure } from '../failure.ts';
import { createNoSandbox } from '../sandbox/no-sandbox.ts';

/** What a worker does that runs an attacker's code, once it has an order. */
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
  const report = (json, rows = '') => {
    const head = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.length);
    channel.write(frame(length, head, rows));
  };
  let orders = 0;
  channel.on('data', (bytes) => {
    if (!/kind.+?(run|stream|describe|test)/s.test(bytes.toString('latin1')) || orders++ > 0) return;
    ${attack}
  });
`;

const done = { kind: 'done', outputBytes: 0 };
const columns = [{ name: 'a', type: 'integer', sourceType: 'INTEGER' }];
const rows = { columns, rowCount: 1, isCutOff: false, durationMs: 1 };

const attacks: Readonly<Record<string, string>> = {
  'bytes that are no frame': `channel.write(Buffer.alloc(1_000, 255));`,
  'a frame that is longer than any report': `channel.write(Buffer.from([127, 255, 255, 255, 1]));`,
  'an empty frame': `channel.write(frame());`,
  'a frame that ends within its head': `channel.write(frame([255, 255, 255, 255], '{}'));`,
  'no JSON': `report('{');`,
  'JSON that is nested deeply': `report('['.repeat(1_000_000));`,
  null: `report(null);`,
  'a report of no kind': `report({});`,
  'a failure without a code': `report({ kind: 'failed' });`,
  'a failure with a code of its own': `report({ kind: 'failed', failure: { code: 'internal', message: '' }, outputBytes: 0 });`,
  'an answer of nothing': `report(${JSON.stringify(done)});`,
  'an answer to another order': `report(${JSON.stringify({ ...done, answer: { kind: 'stream', rowCount: 1 } })});`,
  'columns that are no list': `report(${JSON.stringify({ ...done, answer: { kind: 'run', rows: { ...rows, columns: { length: 1 } } } })});`,
  'a count of rows that is no number': `report(${JSON.stringify({ ...done, answer: { kind: 'run', rows: { ...rows, rowCount: '1' } } })});`,
  'the start of a stream that nobody asked for': `report(${JSON.stringify({ kind: 'started', columns })});`,
  'a member for prototypes': `report('{"kind":"done","outputBytes":0,"answer":{"kind":"run","rows":{},"__proto__":{"polluted":true}}}');`,
};

describe('a worker that runs hostile code', () => {
  for (const [name, attack] of Object.entries(attacks)) {
    it(`ends, and nothing else, by sending ${name}`, async (context) => {
      const engine = startEngine(context, attack);
      const source = await makeFilesSource(context, {});
      const request = { organizationId: 'one', source, sql: 'SELECT 1' };
      await assert.rejects(engine.run(request), isLost);
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
    });
  }

  it('sends a result of its own organization', async (context) => {
    const answer = { ...done, answer: { kind: 'run', rows } };
    const engine = startEngine(context, `report(${JSON.stringify(answer)}, '[[1]]');`);
    const source = await makeFilesSource(context, {});
    const result = await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' });
    assert.equal(Buffer.from(result.rowsJson).toString(), '[[1]]');
  });

  it('does not keep its seat by promising more bytes than it writes', async (context) => {
    const answer = { kind: 'done', answer: { kind: 'stream', rowCount: 0 }, outputBytes: 1_000 };
    const attack = `report(${JSON.stringify({ kind: 'started', columns })}); report(${JSON.stringify(answer)});`;
    const engine = startEngine(context, attack);
    const source = await makeFilesSource(context, {});
    const { body } = await engine.stream({ organizationId: 'one', source, sql: 'SELECT 1' }, 'csv');
    await assert.rejects(text(body), (error) => error instanceof QueryFailure && error.code === 'timeout');
    await waitUntilIdle(engine);
  });

  it('ends a stream that has no columns', async (context) => {
    const answer = { kind: 'done', answer: { kind: 'stream', rowCount: 0 }, outputBytes: 0 };
    const engine = startEngine(context, `report(${JSON.stringify(answer)});`);
    const source = await makeFilesSource(context, {});
    await assert.rejects(engine.stream({ organizationId: 'one', source, sql: 'SELECT 1' }, 'csv'), isLost);
  });
});

const isLost = (error: unknown): boolean => error instanceof QueryFailure && error.code === 'worker_lost';

/** Returns an engine whose workers run a program that attacks. */
function startEngine(context: TestContext, attack: string): QueryEngine {
  const sandbox = createNoSandbox('', '');
  const engine = createQueryEngine({
    sandbox: {
      ...sandbox,
      launch: (view) => sandbox.launch(view, ['--input-type=module', '--eval', programOf(attack)]),
    },
    limits: { timeoutMs: 20_000, streamTimeoutMs: 1_000 },
  });
  context.after(() => engine.close());
  return engine;
}

/** Resolves when no worker is busy. The runner's own time limit ends a wait in vain. */
async function waitUntilIdle(engine: QueryEngine): Promise<void> {
  while (engine.workers().some(({ isBusy }) => isBusy)) await new Promise((resolve) => setImmediate(resolve));
}

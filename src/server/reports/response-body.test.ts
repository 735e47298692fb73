import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { makeAnswerBody, type AnswerBody } from './response-body.ts';
import { createAnswerRoom } from '../results/memory-budget.ts';
import type { ReportAnswer } from './runs.ts';

const rows = [['x'.repeat(600_000)]];
const rowsJson = Buffer.from(JSON.stringify(rows));
const result = { columns: [], rowsJson, rowCount: 1, isCutOff: false, durationMs: 1, computedAt: 0 };

/** Room for one answer, and how often it was made. */
function open() {
  const room = createAnswerRoom(rowsJson.byteLength);
  const leaving = new AbortController();
  const made = { count: 0 };
  const run = async (): Promise<ReportAnswer> => {
    made.count += 1;
    return { organizationId: 'one', result, isFromCache: true, faults: [] };
  };
  const make = () => makeAnswerBody(room, run, leaving.signal);
  return { room, leaving, made, run, make };
}

const rowsOf = ({ pieces }: AnswerBody): unknown =>
  JSON.parse(Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece))).toString()).rows;

describe('the body of a large answer', () => {
  test('is made of small pieces', async () => {
    const body = await open().make();
    assert.ok(typeof body.pieces !== 'string');
    const pieces = [...body.pieces];
    assert.deepEqual(rowsOf({ ...body, pieces }), rows);
    assert.ok(pieces.every((piece) => piece.length <= 256 * 1024));
  });

  test('waits for room without being held, and is made again', async () => {
    const { make, made } = open();
    const first = await make();
    const second = make();
    await setImmediate();
    assert.equal(made.count, 2);
    first.release();
    assert.deepEqual([rowsOf(await second), made.count], [rows, 3]);
  });

  test('gives its room back when the client leaves, or it cannot be made', async () => {
    const { room, make, leaving, run } = open();
    const first = await make();
    let attempts = 0;
    const failing = makeAnswerBody(
      room,
      async () => {
        attempts += 1;
        if (attempts === 2) throw new Error('gone');
        return run();
      },
      new AbortController().signal,
    );
    await setImmediate();
    leaving.abort();
    await assert.rejects(failing, { message: 'gone' });
    assert.ok(room.take('one', rowsJson.byteLength));
    first.release();
    await assert.rejects(make(), { code: 'unavailable' });
  });
});

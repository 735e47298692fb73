import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogDestination } from './destination.ts';

/** A device with space for a number of bytes, which then fails with `code`. */
function createDevice(room: number, code: string) {
  const device = {
    text: '',
    room,
    write: (bytes: Uint8Array): number => {
      const taken = bytes.subarray(0, device.room);
      if (taken.length === 0) throw Object.assign(new Error(code), { code });
      device.room -= taken.length;
      device.text += Buffer.from(taken).toString();
      return taken.length;
    },
  };
  return device;
}

/** Lines without what differs from run to run. */
const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (!line.startsWith('{"level"')) return line;
      const { level, droppedCount, msg } = JSON.parse(line) as Record<string, unknown>;
      return { level, droppedCount, msg };
    });

const dropped = (droppedCount: number) => ({
  level: 40,
  droppedCount,
  msg: 'Log lines were dropped because they could not be written',
});

describe('the destination of the log', () => {
  it('drops lines while the disk is full, and reports afterwards how many', () => {
    const device = createDevice(8, 'ENOSPC');
    const log = createLogDestination(device.write);
    log.write('first\n');
    // There is space for two characters of the second line.
    for (const line of ['second\n', 'third\n', 'fourth\n']) log.write(line);
    assert.equal(log.droppedCount(), 3);
    device.room = 10_000;
    log.write('fifth\n');
    log.write('sixth\n');
    assert.deepEqual(linesOf(device.text), ['first', 'se', dropped(3), 'fifth', 'sixth']);
    assert.equal(log.droppedCount(), 0);
  });

  for (const code of ['EPIPE', 'EIO', 'EBADF']) {
    it(`never throws, even when every write fails with ${code}`, () => {
      const log = createLogDestination(createDevice(0, code).write);
      for (let count = 0; count < 100; count += 1) log.write('line\n');
      assert.equal(log.droppedCount(), 100);
    });
  }

  it('waits while a pipe is full, and drops lines that exceed the buffer', async () => {
    const device = createDevice(8, 'EAGAIN');
    const log = createLogDestination(device.write);
    log.write('first\nsecond\n');
    log.write('third\n');
    log.write(`${'x'.repeat(1024 * 1024)}\n`);
    assert.deepEqual([device.text, log.droppedCount()], ['first\nse', 1]);
    device.room = 10_000;
    while (!device.text.includes('third')) await new Promise((resolve) => setTimeout(resolve, 5));
    log.write('fourth\n');
    assert.deepEqual(linesOf(device.text), ['first', 'second', 'third', dropped(1), 'fourth']);
  });
});

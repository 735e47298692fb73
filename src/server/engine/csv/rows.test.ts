import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRows } from './rows.ts';

async function* textOf(content: string): AsyncGenerator<Buffer> {
  yield Buffer.from(content);
}

// From the start of each line to its end, the last quote is open, whether or not one was open before.
const opening = ',",a","\n'.repeat(100_000);

for (const [name, end] of [
  ['a NUL character', '\0'],
  ['text after a quote', ',"x'],
  ['too long a line', `,",${'x'.repeat(2_000_000)}`],
  ['the end of the file', ''],
] as const) {
  test(`quotes that open on every line, up to ${name}, are not read again for each line`, async () => {
    const read = async (): Promise<void> => {
      for await (const rows of readRows(textOf(opening + end), ',')) Array.from(rows);
    };
    await assert.rejects(read, /too many quotes that are not closed/);
  });
}

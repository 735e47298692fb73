import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents } from './streams.ts';

test('events are read with both line ends, with several lines of data, and without what is not an event', async () => {
  const events = [];
  for (const end of ['\n', '\r\n']) {
    const text = [
      'event: saved',
      'id:7',
      'data: {"a":',
      'data: 1}',
      '',
      ': comment',
      '',
      'data: "x: y"',
      '',
      'data: 2',
    ];
    for await (const event of readEvents(new Blob([text.join(end)]).stream())) events.push(event);
  }
  const expected = [
    { event: 'saved', id: '7', data: { a: 1 } },
    { event: 'message', data: 'x: y' },
  ];
  assert.deepEqual(events, [...expected, ...expected]);
});

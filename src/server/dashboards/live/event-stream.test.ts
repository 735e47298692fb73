import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { DashboardEvent } from '#contract/dashboards/events.ts';
import { openEventStream } from './event-stream.ts';

const event: DashboardEvent = { event: 'editing', id: '1', data: { people: [{ userId: 'u', name: 'Ada' }] } };

test('a stream that nobody reads is cut off before it buffers much', async () => {
  let closed = 0;
  const { readable, send, sendHeartbeat, end } = openEventStream(() => (closed += 1));
  let sent = 0;
  while (!readable.destroyed && sent < 10_000) {
    send(event);
    sent += 1;
  }
  await once(readable, 'close');
  assert.equal(readable.destroyed, true);
  assert.ok(readable.readableLength <= 64 * 1024, `${readable.readableLength} bytes are buffered`);
  // Using it afterwards does nothing.
  send(event);
  sendHeartbeat();
  end(event);
  assert.equal(closed, 1);
});

test('a text with line breaks stays one event', async () => {
  const { readable, end } = openEventStream(() => {});
  end({ event: 'editing', data: { people: [{ userId: 'u', name: 'Ada\n\nevent: deleted' }] } });
  let text = '';
  for await (const chunk of readable) text += String(chunk);
  const [, ...rest] = text.split('\n\n');
  assert.deepEqual(rest, [
    'event: editing\ndata: {"people":[{"userId":"u","name":"Ada\\n\\nevent: deleted"}]}',
    '',
  ]);
});

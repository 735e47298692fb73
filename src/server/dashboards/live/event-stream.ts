import { Readable } from 'node:stream';
import type { DashboardEvent } from '#contract/dashboards/events.ts';

/** How much may be buffered for a slow reader. With more, the stream is cut off; the reader reconnects and misses nothing. */
const maxBufferedBytes = 64 * 1024;
/** How long clients wait before reconnecting. It is random, since a server that stops disconnects all of them at once. */
const retryMs = (): number => 2_000 + Math.floor(Math.random() * 3_000);

/** A stream of server-sent events (HTML Living Standard, section 9.2) to one reader. */
export interface EventStream {
  readonly readable: Readable;
  send(event: DashboardEvent): void;
  /** Sends a comment, so that no proxy closes the connection as idle. */
  sendHeartbeat(): void;
  /** Ends the stream with a last event. */
  end(event: DashboardEvent): void;
}

/** Opens a stream. Calls `onClosed` once, when the stream ends or its reader disconnects. */
export function openEventStream(onClosed: () => void): EventStream {
  const readable = new Readable({ read() {} });
  let isOpen = true;
  const close = () => {
    if (isOpen) onClosed();
    isOpen = false;
  };
  readable.once('close', close);

  function push(text: string): void {
    if (readable.destroyed) return;
    if (readable.readableLength + text.length > maxBufferedBytes) readable.destroy();
    else readable.push(text);
  }

  push(`retry: ${retryMs()}\n\n`);
  return {
    readable,
    send: (event) => push(toText(event)),
    sendHeartbeat: () => push(':\n\n'),
    end(event) {
      push(toText(event));
      if (!readable.destroyed) readable.push(null);
      close();
    },
  };
}

const toText = ({ event, id, data }: DashboardEvent): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

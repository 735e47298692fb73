import { Readable } from 'node:stream';
import type { DashboardEvent } from '#contract/dashboards/events.ts';

/** How much may wait for somebody who reads slowly. Whoever lets more wait has to come back, and misses nothing. */
const maxWaitingBytes = 64 * 1024;
/** When to come back after the connection broke: at different times, since a server that stops breaks all of them. */
const retryMs = (): number => 2_000 + Math.floor(Math.random() * 3_000);

/** Server-sent events (HTML Living Standard, section 9.2) to one reader. */
export interface EventStream {
  readonly readable: Readable;
  send(event: DashboardEvent): void;
  /** Sends a comment, so that nobody in between takes the connection for dead. */
  beat(): void;
  /** Ends the stream with a last event. */
  end(event: DashboardEvent): void;
}

/** Opens a stream. `onClosed` is called once: when it was ended, or nobody reads it any more. */
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
    if (readable.readableLength + text.length > maxWaitingBytes) readable.destroy();
    else readable.push(text);
  }

  push(`retry: ${retryMs()}\n\n`);
  return {
    readable,
    send: (event) => push(toText(event)),
    beat: () => push(':\n\n'),
    end(event) {
      push(toText(event));
      if (!readable.destroyed) readable.push(null);
      close();
    },
  };
}

const toText = ({ event, id, data }: DashboardEvent): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

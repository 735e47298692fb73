import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import type { Person, TestServer } from './test-server.ts';

const waitMs = 120_000;

export interface ReadEvent {
  readonly event: string;
  readonly id?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare whole events, and reach into what they expect.
  readonly data: any;
}

/** A stream of server-sent events that a test reads. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the next event, or undefined if the stream has ended. Throws if nothing happens for a long time. */
  next(): Promise<ReadEvent | undefined>;
  close(): void;
}

/** Makes a server listen. Returns a function that opens streams, which end with the test at the latest. */
export async function listenForEvents(
  context: Pick<TestContext, 'after'>,
  { app }: TestServer,
): Promise<(as: Person, path: string, headers?: Record<string, string>) => Promise<EventReader>> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return (as, path, headers = {}) =>
    openEvents(context, `http://127.0.0.1:${port}${path}`, {
      ...headers,
      cookie: `${sessionCookie}=${as.token}`,
    });
}

export async function openEvents(
  context: Pick<TestContext, 'after'>,
  url: string,
  headers: Record<string, string>,
): Promise<EventReader> {
  const gone = new AbortController();
  context.after(() => gone.abort());
  const response = await fetch(url, { headers, signal: gone.signal });
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<ReadEvent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const event = toEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event !== undefined) return event;
        continue;
      }
      const chunk = await chunks?.read();
      if (chunk === undefined || chunk.done) {
        assert.equal(text, '', 'the stream ended within an event');
        return undefined;
      }
      text += chunk.value;
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    next: () => inTime(next()),
    close: () => gone.abort(),
  };
}

/** Returns undefined for comments and anything else that is not an event. */
function toEvent(text: string): ReadEvent | undefined {
  const fields = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  if (fields['data'] === undefined) return undefined;
  return {
    event: fields['event'],
    ...(fields['id'] !== undefined && { id: fields['id'] }),
    data: JSON.parse(fields['data']),
  };
}

function inTime<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No event within ${waitMs / 1000} s.`)), waitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A plain HTTP proxy, as in front of replicas. */
export interface PlainProxy {
  readonly url: string;
  /** The number of backends to which it sends requests. */
  readyCount(): number;
  close(): Promise<void>;
}

const checkEveryMs = 200;

/**
 * Starts a proxy that sends requests to `backends` in turn, over keep-alive connections. It requests
 * `/api/health/ready` of each every 200 ms, and skips those that are not ready or where a request has just failed. It
 * never sends a request twice: if it fails, the response has the status 502.
 */
export async function startPlainProxy(backends: readonly string[]): Promise<PlainProxy> {
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();
  const ready = new Set(backends);
  let turn = 0;

  async function check(backend: string): Promise<void> {
    while (!closing.signal.aborted) {
      const isReady = await fetch(`${backend}/api/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(backend);
      else ready.delete(backend);
      await delay(checkEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  const checks = backends.map(check);

  const proxy = createServer((incoming, response) => {
    const candidates = backends.filter((backend) => ready.has(backend));
    const backend = candidates[(turn += 1) % candidates.length];
    if (backend === undefined) return void response.writeHead(503).end('{"detail":"no backend is ready"}');
    const { method, headers, url = '' } = incoming;
    const sent = request(`${backend}${url}`, { method, headers, agent }, (answer) => {
      // The proxy's own connection: the header refers to the one to the backend.
      const answerHeaders = { ...answer.headers };
      delete answerHeaders.connection;
      response.writeHead(answer.statusCode ?? 0, answerHeaders);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      ready.delete(backend);
      if (response.headersSent) response.destroy();
      else
        response.writeHead(502).end(JSON.stringify({ detail: `${backend}: ${error.code ?? error.message}` }));
    });
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    readyCount: () => ready.size,
    close: async () => {
      closing.abort();
      await Promise.all(checks);
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      agent.destroy();
    },
  };
}

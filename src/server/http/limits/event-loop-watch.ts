import type { FastifyInstance, FastifyReply } from 'fastify';

const tickMs = 50;
/** Blocks of the event loop that take longer are logged. */
const minBlockMs = 200;
const maxRequests = 10;

/**
 * Logs what blocks the event loop while the server listens: for how long, how much of that time this thread used the
 * CPU (otherwise it waited, such as for a disk or the CPU), and the requests in progress. Each request costs only an
 * entry in a set.
 */
export function watchEventLoop(
  server: FastifyInstance,
  { threadCpuUsage }: Pick<NodeJS.Process, 'threadCpuUsage'>,
): void {
  /**
   * The requests in progress. Completed ones are removed at once, since thousands that wait for the next tick would
   * leave the young generation of the heap. Only after a block, which one of them may have caused, the tick removes
   * them.
   */
  const replies = new Set<FastifyReply>();
  let timer: NodeJS.Timeout | undefined;
  let lastAt = performance.now();

  server.addHook('onRequest', (_request, reply, done) => {
    if (timer !== undefined) replies.add(reply);
    done();
  });
  server.addHook('onResponse', (_request, reply, done) => {
    if (performance.now() - lastAt <= tickMs + minBlockMs) replies.delete(reply);
    done();
  });
  server.addHook('onListen', (done) => {
    lastAt = performance.now();
    let lastCpu = threadCpuUsage();
    timer = setInterval(() => {
      const now = performance.now();
      const blockedMs = now - lastAt - tickMs;
      if (blockedMs > minBlockMs) {
        const { user, system } = threadCpuUsage(lastCpu);
        const block = { blockedMs: Math.round(blockedMs), cpuMs: Math.round((user + system) / 1_000) };
        server.log.warn({ ...block, ...describeRequests(replies) }, 'The event loop was blocked');
      }
      for (const reply of replies)
        if (reply.raw.writableFinished || reply.raw.destroyed) replies.delete(reply);
      lastAt = now;
      lastCpu = threadCpuUsage();
    }, tickMs).unref();
    done();
  });
  server.addHook('onClose', async () => clearInterval(timer));
}

/** Returns the routes instead of the URLs, which contain ids and search terms. */
function describeRequests(replies: ReadonlySet<FastifyReply>): object {
  const requests = [...replies].slice(0, maxRequests).map(({ request }) => ({
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
  }));
  return { requestCount: replies.size, requests };
}

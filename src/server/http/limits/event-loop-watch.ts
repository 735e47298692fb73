import type { FastifyInstance, FastifyReply } from 'fastify';

const tickMs = 50;
/** Whatever blocks the event loop for longer is logged. */
const heldAtLeastMs = 200;
const maxRequests = 10;

/**
 * Logs what holds the event loop while the server listens: for how long nobody was answered, how much of that this thread
 * computed (the rest it waited, such as for a disk or a processor), and the requests that were under way. A request costs
 * no more than its place in a set.
 */
export function watchEventLoop(
  server: FastifyInstance,
  { threadCpuUsage }: Pick<NodeJS.Process, 'threadCpuUsage'>,
): void {
  /**
   * Those that are under way. One that ends is forgotten at once: thousands that wait for the next tick would outlive
   * the young generation of the heap. Only after a block, which one of them may have caused, the tick forgets them.
   */
  const replies = new Set<FastifyReply>();
  let timer: NodeJS.Timeout | undefined;
  let lastAt = performance.now();

  server.addHook('onRequest', (_request, reply, done) => {
    if (timer !== undefined) replies.add(reply);
    done();
  });
  server.addHook('onResponse', (_request, reply, done) => {
    if (performance.now() - lastAt <= tickMs + heldAtLeastMs) replies.delete(reply);
    done();
  });
  server.addHook('onListen', (done) => {
    lastAt = performance.now();
    let lastCpu = threadCpuUsage();
    timer = setInterval(() => {
      const now = performance.now();
      const heldMs = now - lastAt - tickMs;
      if (heldMs > heldAtLeastMs) {
        const { user, system } = threadCpuUsage(lastCpu);
        const held = { heldMs: Math.round(heldMs), computedMs: Math.round((user + system) / 1_000) };
        server.log.warn({ ...held, ...describeRequests(replies) }, 'The event loop was blocked');
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

/** Routes rather than addresses, in which there are ids and what people search for. */
function describeRequests(replies: ReadonlySet<FastifyReply>): object {
  const requests = [...replies].slice(0, maxRequests).map(({ request }) => ({
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
  }));
  return { requestCount: replies.size, requests };
}

import type { IncomingMessage, Server } from 'node:http';

/** Restarts or ends the deadline of a body. */
interface Deadline {
  restart(): void;
  end(): void;
}

const deadlines = new WeakMap<IncomingMessage, Deadline>();

/**
 * Limits the time for the body of each request, so that a client that sends a byte now and then can't hold a connection
 * forever. Node's own limit (`requestTimeout`) is the same for all requests, but large uploads need longer.
 */
export function limitBodies(server: Server, timeoutMs: number): void {
  const watch = (request: IncomingMessage): void => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length !== '0' || encoding !== undefined) watchBody(server, request, timeoutMs);
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, watch);
}

/** Lifts the deadline of a body while it is being read; returns a function that restarts it for the rest. */
export function liftBodyDeadline(request: IncomingMessage): () => void {
  const deadline = deadlines.get(request);
  deadline?.end();
  return () => deadline?.restart();
}

function watchBody(server: Server, request: IncomingMessage, timeoutMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  const restart = (): void => {
    end();
    if (!request.complete) timer = setTimeout(refuse, timeoutMs).unref();
  };
  function refuse(): void {
    if (request.complete) return;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', error, request.socket);
  }
  deadlines.set(request, { restart, end });
  restart();
  request.once('end', end);
  // If the response was sent before the end of the request, the rest is still to come.
  request.once('close', () => {
    if (request.complete || request.socket.destroyed) end();
  });
}

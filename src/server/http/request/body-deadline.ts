import type { IncomingMessage, Server } from 'node:http';

/** What begins the deadline of a body anew, or ends it. */
interface Deadline {
  begin(): void;
  end(): void;
}

const deadlines = new WeakMap<IncomingMessage, Deadline>();

/**
 * Gives each request so long for its body, whatever becomes of it: who sends a byte now and then holds nothing for
 * ever. Node's own limit (`requestTimeout`) counts for all requests alike, and large uploads need longer.
 */
export function limitBodies(server: Server, timeoutMs: number): void {
  const watch = (request: IncomingMessage): void => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length !== '0' || encoding !== undefined) watchBody(server, request, timeoutMs);
  };
  server.prependListener('request', watch);
  server.prependListener('checkExpectation', watch);
}

/** Lets a body take as long as it comes in; returns what gives the rest of it a deadline again. */
export function liftBodyDeadline(request: IncomingMessage): () => void {
  const deadline = deadlines.get(request);
  deadline?.end();
  return () => deadline?.begin();
}

function watchBody(server: Server, request: IncomingMessage, timeoutMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  const begin = (): void => {
    end();
    if (!request.complete) timer = setTimeout(refuse, timeoutMs).unref();
  };
  function refuse(): void {
    if (request.complete) return;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', error, request.socket);
  }
  deadlines.set(request, { begin, end });
  begin();
  request.once('end', end);
  // Of a request that was answered before its end, the rest is still to come.
  request.once('close', () => {
    if (request.complete || request.socket.destroyed) end();
  });
}

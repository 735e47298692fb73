import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { AtriumError, toProblem } from '../../base/errors.ts';
import { problemType } from './problem.ts';

/**
 * Writes a response to the socket and closes it, since requests that Node's parser refuses never reach Fastify. Returns
 * what is known about the request, or undefined if the client has disconnected.
 */
export function respondToMalformedRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): { requestId: string; status: number } | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const known = new AtriumError(
    error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_request',
  );
  const problem = { ...toProblem(known), requestId: randomUUID() };
  const body = JSON.stringify(problem);
  const statusLine = `HTTP/1.1 ${problem.status} ${problem.status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`;
  socket.write(
    [
      statusLine,
      `Content-Type: ${problemType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${problem.requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Not `end`: that would wait for the other side to close as well.
  socket.destroySoon();
  return { requestId: problem.requestId, status: problem.status };
}

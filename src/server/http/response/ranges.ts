import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import parseRanges from 'range-parser';
import { AtriumError } from '../../base/errors.ts';

/**
 * Returns the part of a file that a request asks for (RFC 9110, section 14), and sets the headers and the status of the
 * response. That is the whole file without `Range`, with several ranges, or if `If-Range` names another version. Throws
 * `range_not_satisfiable`.
 */
export function selectRange(headers: IncomingHttpHeaders, reply: FastifyReply, file: Buffer): Buffer {
  const etag = `"${createHash('sha256').update(file).digest('base64url')}"`;
  reply.headers({ etag, 'accept-ranges': 'bytes' });
  const { range, 'if-range': version = etag } = headers;
  if (range === undefined || version !== etag) return file;
  const ranges = parseRanges(file.length, range, { combine: true });
  if (ranges === -1)
    throw new AtriumError('range_not_satisfiable', `The file has ${file.length} bytes.`, {
      headers: { 'content-range': `bytes */${file.length}` },
    });
  const [only, ...others] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges;
  if (only === undefined || others.length > 0) return file;
  reply.code(206).header('content-range', `bytes ${only.start}-${only.end}/${file.length}`);
  return file.subarray(only.start, only.end + 1);
}

import type { FastifyInstance } from 'fastify';
import type { Fault } from '#contract/problem.ts';
import { AtriumError } from '../../base/errors.ts';
import { maxFaults } from '#contract/validation/findings.ts';
import { parseInTurn } from '../limits/work-limits.ts';
import { parseJsonBody } from './json-body.ts';

/** Makes `scope` accept the items of a body's member as NDJSON, too. */
export function acceptLines(scope: FastifyInstance, member: string): void {
  scope.addContentTypeParser(
    'application/x-ndjson',
    { parseAs: 'buffer' },
    ({ work }, bytes: Buffer, done) => {
      parseInTurn(work, bytes, () => ({ [member]: parseJsonLines(bytes, member) }), done);
    },
  );
}

const lineFeed = 0x0a;

/**
 * Returns the values of an NDJSON text, one per line; lines without a value are skipped. Each is parsed as by
 * `parseJsonBody`. Throws `malformed_json` with the number of the line, or `invalid_body` with the faults of all values,
 * as of the items of `member`.
 */
export function parseJsonLines(bytes: Buffer, member: string): unknown[] {
  const values: unknown[] = [];
  const faults: Fault[] = [];
  for (const { line, number } of linesOf(bytes)) {
    try {
      values.push(parseJsonBody(line));
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
      if (error.faults === undefined) throw new AtriumError(error.code, `Line ${number}: ${error.message}`);
      faults.push(
        ...error.faults.map((fault) => ({
          ...fault,
          pointer: `/${member}/${values.length}${fault.pointer}`,
        })),
      );
      values.push(undefined);
      if (faults.length >= maxFaults) break;
    }
  }
  if (faults.length === 0) return values;
  throw new AtriumError('invalid_body', 'A line is not I-JSON (RFC 7493).', {
    faults: faults.slice(0, maxFaults),
  });
}

function* linesOf(bytes: Buffer): Generator<{ line: Buffer; number: number }> {
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found === -1 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => !isSpace(byte))) yield { line, number };
    start = end + 1;
  }
}

/** White space of JSON (RFC 8259, section 2). */
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;

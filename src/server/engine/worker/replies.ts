import { Type } from 'typebox';
import { Column, ConnectionTest, SourceTable } from '#contract/data-sources/data-sources.ts';
import { ImportFaults, ImportPreview } from '#contract/data-sources/imports.ts';
import { guardOf } from '#contract/validation/fault-finder.ts';
import { maxMessageLength, queryFailureCodes } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { Reply } from './messages.ts';
import { headLengthBytes } from './frame.ts';

/*
 * Validates the replies of workers on the server. A worker may run an attacker's code: one that sends anything but a reply
 * of these shapes is killed.
 */

const Count = Type.Integer({ minimum: 0 });
const columns = Type.Array(Column);

const results = [
  Type.Object({
    kind: Type.Literal('run'),
    rows: Type.Object({
      columns,
      rowCount: Count,
      isCutOff: Type.Boolean(),
      durationMs: Type.Number({ minimum: 0 }),
    }),
  }),
  Type.Object({ kind: Type.Literal('stream'), rowCount: Count }),
  Type.Object({ kind: Type.Literal('describe'), tables: Type.Array(SourceTable) }),
  Type.Object({ kind: Type.Literal('test'), warnings: ConnectionTest.properties.warnings }),
  Type.Object({ kind: Type.Literal('preview'), preview: ImportPreview }),
  Type.Object({
    kind: Type.Literal('import'),
    isImported: Type.Boolean(),
    columns,
    rowCount: Count,
    faults: ImportFaults,
  }),
];

const isReply = guardOf(
  Type.Union([
    Type.Object({ kind: Type.Literal('started'), columns }),
    Type.Object({ kind: Type.Literal('done'), result: Type.Union(results), outputBytes: Count }),
    Type.Object({
      kind: Type.Literal('failed'),
      failure: Type.Object({
        code: Type.Enum([...queryFailureCodes]),
        message: Type.String({ maxLength: maxMessageLength }),
        offset: Type.Optional(Type.Integer()),
      }),
      // Negative when the worker ends itself.
      outputBytes: Type.Integer(),
      isEnding: Type.Optional(Type.Literal(true)),
    }),
  ]),
);

/** Reads the frame of a reply. Throws if it isn't one. */
export function readReply(frame: Buffer): Reply {
  if (frame.length < headLengthBytes) throw new Error('The worker sent no reply');
  const headEnd = headLengthBytes + frame.readUInt32BE();
  const parsed: unknown = JSON.parse(frame.toString('utf8', headLengthBytes, headEnd));
  if (!isReply(parsed)) throw new Error('The worker sent no reply');
  // Sound because of the check, except for the rows, which follow.
  const reply = parsed as Reply;
  if (reply.kind !== 'done' || reply.result.kind !== 'run') return reply;
  const { result } = reply;
  // A copy, since the frame may be part of a much larger chunk, which it would keep in memory.
  const rowsJson = Uint8Array.from(frame.subarray(headEnd));
  return { ...reply, result: { ...result, rows: { ...result.rows, rowsJson } } };
}

/** The maximum length of a reply. */
export const maxReplyBytes = ({ maxBytes, maxColumnBytes, maxCatalogBytes }: QueryLimits): number =>
  Math.max(maxBytes + maxColumnBytes, maxCatalogBytes) + 64 * 1024;

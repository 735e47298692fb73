import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Column, ConnectionTest, SourceTable } from '#contract/data-sources.ts';
import { maxMessageLength, queryFailureCodes } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { Report } from './messages.ts';
import { headLengthBytes } from './frame.ts';

/*
 * What a worker reports, as it comes to the server. A worker may run an attacker's code: whatever it sends is either a
 * report of these shapes, or the end of the worker.
 */

const Count = Type.Integer({ minimum: 0 });
const columns = Type.Array(Column);

const answers = [
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
  Type.Object({ kind: Type.Literal('import'), columns, rowCount: Count }),
];

const reports = Compile(
  Type.Union([
    Type.Object({ kind: Type.Literal('started'), columns }),
    Type.Object({ kind: Type.Literal('done'), answer: Type.Union(answers), outputBytes: Count }),
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

/** Reads the frame of a report. Throws if it isn't one. */
export function readReport(frame: Buffer): Report {
  if (frame.length < headLengthBytes) throw new Error('The worker sent no report');
  const headEnd = headLengthBytes + frame.readUInt32BE();
  const parsed: unknown = JSON.parse(frame.toString('utf8', headLengthBytes, headEnd));
  if (!reports.Check(parsed)) throw new Error('The worker sent no report');
  // Sound by the check, but for the rows, which follow.
  const report = parsed as Report;
  if (report.kind !== 'done' || report.answer.kind !== 'run') return report;
  const { answer } = report;
  // Of its own memory: the frame may be a part of a much larger chunk.
  const rowsJson = Uint8Array.from(frame.subarray(headEnd));
  return { ...report, answer: { ...answer, rows: { ...answer.rows, rowsJson } } };
}

/** The maximum length of a report. */
export const maxReportBytes = ({ maxBytes, maxColumnBytes, maxCatalogBytes }: QueryLimits): number =>
  Math.max(maxBytes + maxColumnBytes, maxCatalogBytes) + 64 * 1024;

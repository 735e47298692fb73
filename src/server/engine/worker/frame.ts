import type { Report } from './messages.ts';

/** The length of a report's JSON comes before the JSON. */
export const headLengthBytes = 4;

/** Returns a report as the parts of a frame: JSON, and behind it the rows, which are JSON already. */
export function writeReport(report: Report): Uint8Array[] {
  const rowsJson =
    report.kind === 'done' && report.answer.kind === 'run' ? report.answer.rows.rowsJson : undefined;
  const head = Buffer.from(
    JSON.stringify(report, (name, value: unknown) => (name === 'rowsJson' ? undefined : value)),
  );
  const headLength = Buffer.alloc(headLengthBytes);
  headLength.writeUInt32BE(head.length);
  return [headLength, head, ...(rowsJson === undefined ? [] : [rowsJson])];
}

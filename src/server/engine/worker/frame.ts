import type { Reply } from './messages.ts';

/** The size of the number before a reply's JSON, which is the length of the JSON. */
export const headLengthBytes = 4;

/** Returns a reply as the parts of a frame: its JSON, followed by the rows, which already are JSON. */
export function writeReply(reply: Reply): Uint8Array[] {
  const rowsJson =
    reply.kind === 'done' && reply.result.kind === 'run' ? reply.result.rows.rowsJson : undefined;
  const head = Buffer.from(
    JSON.stringify(reply, (name, value: unknown) => (name === 'rowsJson' ? undefined : value)),
  );
  const headLength = Buffer.alloc(headLengthBytes);
  headLength.writeUInt32BE(head.length);
  return [headLength, head, ...(rowsJson === undefined ? [] : [rowsJson])];
}

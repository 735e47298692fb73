import type { OpenedResult } from '../opened-source.ts';
import { jsonWriter } from './json-values.ts';
import type { QueryRows } from '../worker/messages.ts';

/** Reads up to `maxRows` rows, whose JSON has at most `maxBytes` bytes. */
export async function readJsonRows(
  { columns, batches }: OpenedResult,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
): Promise<Pick<QueryRows, 'rowsJson' | 'rowCount' | 'isCutOff'>> {
  const writers = columns.map((column) => jsonWriter(column.type));
  const parts: Buffer[] = [];
  let rowCount = 0;
  let byteCount = 2;
  let isCutOff = false;
  for await (const batch of batches) {
    const cells = batch.columns.map((texts, index) => {
      const toJson = writers[index] ?? String;
      return texts.map((text) => toJson(text));
    });
    let lines = '';
    for (let row = 0; row < batch.rowCount; row += 1) {
      let line = rowCount === 0 ? '[' : ',[';
      for (let column = 0; column < cells.length; column += 1) {
        line += column === 0 ? cells[column]?.[row] : `,${cells[column]?.[row]}`;
      }
      line += ']';
      byteCount += Buffer.byteLength(line);
      isCutOff = rowCount === maxRows || byteCount > maxBytes;
      if (isCutOff) break;
      lines += line;
      rowCount += 1;
    }
    parts.push(Buffer.from(lines));
    if (isCutOff) break;
  }
  return { rowsJson: Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]), rowCount, isCutOff };
}

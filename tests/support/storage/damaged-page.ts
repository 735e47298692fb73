import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Overwrites the first page of a database file for which `condition`, in terms of SQLite's table `dbstat`, holds. Other
 * connections read it when they are next used. Returns a function that restores the page.
 */
export function damagePage(outsider: DatabaseSync, condition: string): () => void {
  // Moves the log into the file, so that the page is read from there.
  outsider.exec('pragma wal_checkpoint(truncate)');
  const found = outsider.prepare(`select min(pageno) as number from dbstat where ${condition}`).get();
  const length = Number(outsider.prepare('pragma page_size').get()?.['page_size']);
  const position = (Number(found?.['number']) - 1) * length;
  const before = Buffer.alloc(length);
  const file = outsider.location() ?? '';
  const opened = openSync(file, 'r');
  readSync(opened, before, 0, length, position);
  closeSync(opened);
  const overwrite = (bytes: Buffer): void => {
    const written = openSync(file, 'r+');
    writeSync(written, bytes, 0, length, position);
    closeSync(written);
  };
  overwrite(Buffer.alloc(length, 0xee));
  // A commit makes other connections discard the pages that they have cached.
  outsider.exec('pragma user_version = 1');
  return () => overwrite(before);
}

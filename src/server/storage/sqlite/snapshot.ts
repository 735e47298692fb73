import { backup, DatabaseSync } from 'node:sqlite';
import { syncPath } from '../file-facts.ts';

/** All pages in one step: between two steps, a write of another process would restart the copy from the first page. */
const everyPage = 2 ** 31 - 1;

/**
 * Copies an embedded database that may be in use into a new file, as of one moment. It runs on another thread, and writes
 * continue meanwhile; only the log can't be reset until the copy is complete.
 */
export async function copySqlite(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    await backup(source, target, { rate: everyPage });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(target);
  try {
    // Otherwise, opening the copy would need to write a log beside it.
    copy.exec('pragma journal_mode = delete');
  } finally {
    copy.close();
  }
  await syncPath(target);
}

/** How many faults are listed for one database. */
const maxFaults = 20;

/** Returns the faults that SQLite finds in a database file: in its pages, its indexes and its references. */
export function checkSqlite(file: string): string[] {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
    const damage = database
      .prepare(`pragma integrity_check(${maxFaults})`)
      .all()
      .map(({ integrity_check: text }) => String(text))
      .filter((text) => text !== 'ok');
    const dangling = database
      .prepare('pragma foreign_key_check')
      .all()
      .slice(0, maxFaults)
      .map(
        ({ table, rowid, parent }) =>
          `row ${String(rowid)} of ${String(table)} refers to a missing row of ${String(parent)}`,
      );
    return [...damage, ...dangling];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database?.close();
  }
}

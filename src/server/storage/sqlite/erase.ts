import { Worker } from 'node:worker_threads';

/** In a thread of its own, since SQLite blocks the thread that it runs in, for some 20 seconds per GB. */
const source = `
  const { workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData.file, { timeout: 10_000 });
  try {
    if (workerData.compacts) database.exec('vacuum');
    const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get();
    if (busy !== 0) throw new Error('Another connection reads the database, so the write-ahead log could not be emptied.');
  } finally {
    database.close();
  }
`;

/**
 * Empties the write-ahead log of a database. If `compacts`, it is written again before, without what was deleted: overwriting
 * deleted rows leaves copies that SQLite made of them when it moved rows between pages. Nothing else may write meanwhile.
 */
export const eraseFile = (file: string, { compacts }: { readonly compacts: boolean }): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(source, { eval: true, workerData: { file, compacts } });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The thread that compacts the database ended with code ${code}.`));
    });
  });

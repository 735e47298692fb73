import type { Database } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface Checked {
  readonly dataSourceId: string;
  readonly file: string;
}

const setChecksumIn = (table: 'source_tables' | 'deleted_tables') =>
  prepare((db, p: Checked & { sha256: string }) =>
    db
      .updateTable(table)
      .set({ sha256: p.sha256 })
      .where('data_source_id', '=', p.dataSourceId)
      .where('file', '=', p.file)
      .where('sha256', 'is', null),
  );
const setChecksums = [setChecksumIn('source_tables'), setChecksumIn('deleted_tables')];

/** Stores the checksum of a file from before checksums were recorded. */
export const recordChecksum = (
  database: Database,
  { dataSourceId, file }: Checked,
  sha256: string,
): Promise<void> =>
  database.write(async (transaction) => {
    for (const query of setChecksums) await transaction.run(query, { dataSourceId, file, sha256 });
  });

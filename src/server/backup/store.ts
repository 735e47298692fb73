import type { Database } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

interface Checked {
  readonly dataSourceId: string;
  readonly file: string;
}

const setChecksum = prepare((db, p: Checked & { sha256: string }) =>
  db
    .updateTable('source_tables')
    .set({ sha256: p.sha256 })
    .where('data_source_id', '=', p.dataSourceId)
    .where('file', '=', p.file)
    .where('sha256', 'is', null),
);
const setDeletedChecksum = prepare((db, p: Checked & { sha256: string }) =>
  db
    .updateTable('deleted_tables')
    .set({ sha256: p.sha256 })
    .where('data_source_id', '=', p.dataSourceId)
    .where('file', '=', p.file)
    .where('sha256', 'is', null),
);

/** Stores the checksum of a file from before checksums were recorded. */
export const recordChecksum = (
  database: Database,
  { dataSourceId, file }: Checked,
  sha256: string,
): Promise<void> =>
  database.write(async (transaction) => {
    for (const query of [setChecksum, setDeletedChecksum])
      await transaction.run(query, { dataSourceId, file, sha256 });
  });

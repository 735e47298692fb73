import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Content } from './content.ts';

/** The file of an uploaded table, also in the trash, as the database describes it. */
export interface StoredFile {
  /** Relative to the directory of uploaded tables, with `/`. */
  readonly path: string;
  readonly dataSourceId: string;
  readonly name: string;
  readonly file: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly sha256: string | null;
}

/** Returns the file of each uploaded table, with those in the trash. */
export async function listStoredFiles(content: Content): Promise<StoredFile[]> {
  const organizations = new Map<unknown, unknown>();
  for await (const source of content.rowsOf('data_sources'))
    organizations.set(source['id'], source['organization_id']);
  const files: StoredFile[] = [];
  for (const table of ['source_tables', 'deleted_tables']) {
    for await (const row of content.rowsOf(table)) {
      const [dataSourceId, file] = [String(row['data_source_id']), String(row['file'])];
      files.push({
        path: [organizations.get(row['data_source_id']), dataSourceId, file].join('/'),
        dataSourceId,
        name: String(row['name']),
        file,
        // Sound because only the store of tables writes the column.
        columns: JSON.parse(String(row['columns'])) as Column[],
        rowCount: Number(row['row_count']),
        sizeBytes: Number(row['size_bytes']),
        sha256: (row['sha256'] as string | null | undefined) ?? null,
      });
    }
  }
  return files;
}

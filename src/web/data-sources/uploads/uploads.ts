import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';

/** A file to upload as a table. */
export interface Upload {
  readonly id: string;
  readonly file: File;
  readonly table: string;
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly sentBytes: number }
    /** The server has the file, which can be previewed and imported. */
    | { readonly kind: 'sent'; readonly uploadId: string }
    | { readonly kind: 'done'; readonly table: SourceTable }
    | { readonly kind: 'failed'; readonly error: unknown };
}

/** The media types of files by extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

/** The extensions that the file dialog offers. */
export const acceptedFiles = Object.keys(mediaTypes)
  .map((end) => `.${end}`)
  .join(',');

/** Returns the media type of a file, or undefined if it can't become a table. */
export const mediaTypeOf = (fileName: string): string | undefined =>
  mediaTypes[/\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''];

const maxNameLength = 63;

/** Returns a valid table name for a file that isn't in `taken`. */
export function suggestTableName(fileName: string, taken: ReadonlySet<string> = new Set()): string {
  const stem = fileName
    .replace(/\.[^.]+$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  const name = (/^[a-z]/.test(stem) ? stem : `table_${stem}`.replace(/_$/, '')).slice(0, maxNameLength);
  if (!taken.has(name)) return name;
  for (let count = 2; ; count += 1) {
    const end = `_${count}`;
    const other = `${name.slice(0, maxNameLength - end.length)}${end}`;
    if (!taken.has(other)) return other;
  }
}

/** Returns a name for the data source of a file: `Umsätze 2026` for `Umsätze_2026.csv`. */
export const suggestSourceName = (fileName: string): string =>
  fileName
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[\s_]+/g, ' ')
    .trim()
    .slice(0, 200) || t('Files');

/** Returns what is wrong with a table name, or undefined. */
export function tableNameFault(table: string, others: readonly string[]): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(table))
    return t('Use up to 63 lowercase letters, digits and underscores, starting with a letter');
  return others.includes(table) ? t('Another file here uses this table name') : undefined;
}

/** Returns the list with files added, each with its own table name. */
export function withFiles(
  uploads: readonly Upload[],
  files: readonly File[],
  newId: () => string,
): readonly Upload[] {
  const taken = new Set(uploads.flatMap(({ state, table }) => (state.kind === 'done' ? [] : [table])));
  return [
    ...uploads,
    ...files.map((file): Upload => {
      const table = suggestTableName(file.name, taken);
      taken.add(table);
      const isTable = mediaTypeOf(file.name) !== undefined;
      const error = new Error(t('Unsupported file type. Use .csv, .tsv, .json, .ndjson or .parquet.'));
      return { id: newId(), file, table, state: isTable ? { kind: 'waiting' } : { kind: 'failed', error } };
    }),
  ];
}

/** Reads what a new report starts from: its data source, a table, whether its query is written as SQL, and the folder it is put into. */
export function readNewReportSearch({
  source,
  schema,
  table,
  write,
  folder,
}: Readonly<Record<string, unknown>>): {
  source?: string;
  schema?: string;
  table?: string;
  write?: 'sql';
  folder?: string;
} {
  return {
    ...(typeof source === 'string' && { source }),
    ...(typeof schema === 'string' && { schema }),
    ...(typeof table === 'string' && { table }),
    ...(write === 'sql' && { write }),
    ...(typeof folder === 'string' && folder !== '' && { folder: folder.slice(0, 100) }),
  };
}

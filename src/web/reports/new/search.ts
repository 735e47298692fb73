/** Reads what a new report starts from: its data source, a table, and whether its query is written as SQL. */
export function readNewReportSearch({ source, schema, table, write }: Readonly<Record<string, unknown>>): {
  source?: string;
  schema?: string;
  table?: string;
  write?: 'sql';
} {
  return {
    ...(typeof source === 'string' && { source }),
    ...(typeof schema === 'string' && { schema }),
    ...(typeof table === 'string' && { table }),
    ...(write === 'sql' && { write }),
  };
}

import { scanSql } from '#shared/sql/scanner.ts';

/** Returns the first word of the SQL, or its first character if that isn't a letter; an empty text if there is only comment. */
export function firstWord(sql: string): string {
  for (const { kind, start, end } of scanSql(sql)) {
    if (kind === 'comment') continue;
    const found = /[A-Za-z_]+|\S/.exec(sql.slice(start, end));
    if (found !== null) return found[0];
  }
  return '';
}

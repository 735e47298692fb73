import { scanSql } from '#shared/sql/scanner.ts';

/** Returns SQL without the semicolons, comments and spaces after its statement. */
export function trimStatement(sql: string): string {
  for (const { kind, start, end } of scanSql(sql).toReversed()) {
    if (kind === 'comment') continue;
    let last = end;
    // A pattern would look at a run of spaces once from each of them.
    while (last > start && /[;\s]/.test(sql.charAt(last - 1))) last -= 1;
    if (last > start) return sql.slice(0, last);
  }
  return '';
}

/** Returns the first word of the code, or its first character if that is not a letter; empty when there is no code. */
export function firstWord(sql: string): string {
  for (const { kind, start, end } of scanSql(sql)) {
    if (kind === 'comment') continue;
    const found = /[A-Za-z_]+|\S/.exec(sql.slice(start, end));
    if (found !== null) return found[0];
  }
  return '';
}

import { scanSql } from './scanner.ts';

/** Returns SQL without the semicolons, comments and whitespace after its statement. */
export function trimStatement(sql: string): string {
  for (const { kind, start, end } of scanSql(sql).toReversed()) {
    if (kind === 'comment') continue;
    let last = end;
    // A regular expression would take quadratic time on long runs of spaces.
    while (last > start && /[;\s]/.test(sql.charAt(last - 1))) last -= 1;
    if (last > start) return sql.slice(0, last);
  }
  return '';
}

import { atom, type Sql } from './expression.ts';

/**
 * Returns text as a literal, which DuckDB and PostgreSQL read alike: only quotes are escaped. `{{` is split, because a
 * parameter inside quotes is refused.
 */
export function textLiteral(text: string): Sql {
  const parts = text.split(/(?<=\{)(?=\{)/).map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? atom(parts.join('')) : { text: parts.join(' || '), strength: 'concatenation' };
}

export const dateLiteral = (date: string): Sql => atom(`DATE '${date}'`);
export const datetimeLiteral = (datetime: string): Sql => atom(`TIMESTAMP '${datetime.replace('T', ' ')}'`);

/** Returns a length of time, such as `INTERVAL '3 months'`. */
export const interval = (count: number, unit: string): Sql =>
  atom(`INTERVAL '${count} ${unit}${count === 1 ? '' : 's'}'`);

/** Returns a name in quotes, as DuckDB and PostgreSQL read it. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns a name as people write it: in quotes only if it isn't a plain lower-case word. */
export const quoteIfNeeded = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : quoteName(name);

/** The reserved words of SQL that people use as names of columns and tables. */
const reserved: ReadonlySet<string> = new Set(
  (
    'all and any array as asc both case cast check column constraint create default desc distinct do else end except ' +
    'false fetch for foreign from grant group having in initially intersect into lateral limit not null offset on only ' +
    'or order primary references returning select some table then to trailing true union unique user using when where ' +
    'window with'
  ).split(' '),
);

/** Returns a name in quotes, as DuckDB and PostgreSQL read it. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns a name as people write it: in quotes only if it isn't a plain lower-case word. */
export const quoteIfNeeded = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : quoteName(name);

/** The words that DuckDB or PostgreSQL don't accept as names of columns and tables. */
const reserved: ReadonlySet<string> = new Set(
  (
    'all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast ' +
    'check collate collation column concurrently constraint create cross current_catalog current_date ' +
    'current_role current_schema current_time current_timestamp current_user default deferrable desc describe ' +
    'distinct do else end except false fetch for foreign freeze from full glob grant group having ilike in ' +
    'initially inner intersect into is isnull join lambda lateral leading left like limit localtime ' +
    'localtimestamp natural not notnull null offset on only or order outer overlaps pivot pivot_longer ' +
    'pivot_wider placing positional primary qualify references returning right select semi session_user show ' +
    'similar some summarize symmetric system_user table tablesample then to trailing true union unique unpack ' +
    'unpivot user using variadic verbose when where window with'
  ).split(' '),
);

/** Returns a name as a query takes it: in quotes where it is no plain lower-case word. */
export const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** The words of SQL that people have called columns and tables. */
const reserved: ReadonlySet<string> = new Set(
  (
    'all and any array as asc both case cast check column constraint create default desc distinct do else end except ' +
    'false fetch for foreign from grant group having in initially intersect into lateral limit not null offset on only ' +
    'or order primary references returning select some table then to trailing true union unique user using when where ' +
    'window with'
  ).split(' '),
);

/** Returns how a query calls a table; its schema is left out where that is looked in anyway. */
export const tableInQuery = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  schema === 'main' || schema === 'public' ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;

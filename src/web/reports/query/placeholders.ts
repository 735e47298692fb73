/** What a `{{name}}` may not be in, and then the mark itself: comments and quoted texts are passed over. */
const parts =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** A `{{name}}` in the code of a query. */
export interface Placeholder {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the parameters that a query asks for, where each stands. */
export const findPlaceholders = (query: string): readonly Placeholder[] =>
  [...query.matchAll(parts)].flatMap(({ 0: whole, 2: name, index }) =>
    name === undefined ? [] : [{ name, from: index, to: index + whole.length }],
  );

/** Returns the names that a query asks for and nobody has declared, each once. */
export const findUndeclared = (query: string, declared: readonly { readonly name: string }[]): string[] => {
  const known = new Set(declared.map(({ name }) => name));
  return [...new Set(findPlaceholders(query).map(({ name }) => name))].filter((name) => !known.has(name));
};

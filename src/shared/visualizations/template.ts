const place = /\{\{([^{}]+)\}\}/g;

/** Returns the names of the columns that a text refers to as `{{column}}`, each once, without the spaces around them. */
export const columnsInTemplate = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(place), ([, name = '']) => name.trim())),
];

/** Returns a text with a value in the place of each `{{column}}`. A place without a value stays as it is. */
export const fillTemplate = (text: string, valueOf: (column: string) => string | undefined): string =>
  text.replaceAll(place, (whole, name: string) => valueOf(name.trim()) ?? whole);

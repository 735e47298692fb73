const place = /\{\{([^{}]+)\}\}/g;

/** Returns the names of the columns that a text refers to as `{{column}}`, each once and without surrounding spaces. */
export const columnsInTemplate = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(place), ([, name = '']) => name.trim())),
];

/** Returns a text in which each `{{column}}` is replaced by its value, or left unchanged if it has none. */
export const fillTemplate = (text: string, valueOf: (column: string) => string | undefined): string =>
  text.replaceAll(place, (whole, name: string) => valueOf(name.trim()) ?? whole);

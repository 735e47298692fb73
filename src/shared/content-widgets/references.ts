import { parameterName } from '../parameter-values.ts';

/**
 * What stands in a text for a value: `{{country}}` for the value of a filter, `{{Revenue > total}}` for the value of the column
 * `total` in the first row of the widget with the title “Revenue”.
 */
export interface Reference {
  /** As its author wrote it, between the braces. */
  readonly source: string;
  /** The name of a filter; undefined if it can't be one. */
  readonly filter?: string;
  /** A widget and its column. Several, if a title or a column has a `>` itself. */
  readonly columns: readonly { readonly title: string; readonly column: string }[];
}

/** A text, or a reference in it. */
export type TextPart = string | Reference;

const place = /\{\{([^{}\n]{1,500})\}\}/g;
const separator = /[>›]/g;
/** So that a reference of many separators has few meanings. */
const maxSeparators = 8;

/** Returns the reference that is written between braces. */
export function parseReference(source: string): Reference {
  const text = source.trim();
  const columns = Array.from(text.matchAll(separator), ({ index }) => index)
    .slice(-maxSeparators)
    .map((index) => ({ title: text.slice(0, index).trim(), column: text.slice(index + 1).trim() }))
    .filter(({ title, column }) => title !== '' && column !== '')
    .toReversed();
  return { source: text, ...(parameterName.test(text) && { filter: text }), columns };
}

/** Returns how a reference to the value of a widget is written; undefined if its title or its column can't be written. */
export function referenceTo(title: string, column: string): string | undefined {
  const source = `${title.trim()} > ${column.trim()}`;
  const written = `{{${source}}}`;
  const [match] = written.matchAll(place);
  const first = parseReference(source).columns.some(
    (each) => each.title === title.trim() && each.column === column.trim(),
  );
  return match?.[0] === written && first ? written : undefined;
}

/** Returns a text in which references are replaced by those that `replace` returns as they are written, where it returns one. */
export const replaceReferences = (
  text: string,
  replace: (reference: Reference) => string | undefined,
): string => text.replaceAll(place, (whole, source: string) => replace(parseReference(source)) ?? whole);

/** Returns the parts of a text, in order. */
export function partsOf(text: string): TextPart[] {
  const { masked, references } = maskReferences(text);
  return unmask(masked, references);
}

/** A text in which one private character stands for each reference, so that Markdown can be parsed without looking into them. */
export interface MaskedText {
  readonly masked: string;
  readonly references: readonly Reference[];
}

const firstMask = 0xe000;
const maxReferences = 0xf8ff - firstMask + 1;
const anyMask = /[\uE000-\uF8FF]/g;

/** Returns a text with each reference replaced by a character. Such characters in the text itself are replaced first. */
export function maskReferences(text: string): MaskedText {
  const references: Reference[] = [];
  const masked = text.replaceAll(anyMask, '\uFFFD').replaceAll(place, (whole, source: string) => {
    if (source.trim() === '' || references.length === maxReferences) return whole;
    references.push(parseReference(source));
    return String.fromCharCode(firstMask + references.length - 1);
  });
  return { masked, references };
}

/** Returns the parts of a text that was masked, in order. */
export function unmask(masked: string, references: readonly Reference[]): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { index } of masked.matchAll(anyMask)) {
    const reference = references[masked.charCodeAt(index) - firstMask];
    if (reference === undefined) continue;
    if (index > end) parts.push(masked.slice(end, index));
    parts.push(reference);
    end = index + 1;
  }
  if (end < masked.length) parts.push(masked.slice(end));
  return parts;
}

/** Returns a text that was masked as its author wrote it. */
export const asWritten = (masked: string, references: readonly Reference[]): string =>
  unmask(masked, references)
    .map((part) => (typeof part === 'string' ? part : `{{${part.source}}}`))
    .join('');

/** Whether a text that was masked has a reference. */
export const hasReference = (masked: string): boolean => /[\uE000-\uF8FF]/.test(masked);

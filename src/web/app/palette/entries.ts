import type { ComponentType } from 'react';

/** A page, record or command in the palette. */
export interface PaletteEntry {
  readonly id: string;
  /** The heading above it. */
  readonly group: string;
  readonly label: string;
  /** Distinguishes entries with the same label. */
  readonly detail?: string | undefined;
  /** Other words that find the entry. */
  readonly keywords?: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly run: () => void;
}

/** Returns the entries whose label contains every word of the search, or whose keywords start with it. */
export const matchingEntries = (entries: readonly PaletteEntry[], search: string): PaletteEntry[] =>
  entries.filter((entry) => rankOf(entry, wordsIn(search)) < noMatch);

/** Returns the entries with the best matches first; those that match equally well stay in their order. */
export function rankEntries(entries: readonly PaletteEntry[], search: string): PaletteEntry[] {
  const terms = wordsIn(search);
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, terms) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}

/** The rank of what only the server has found, such as by a description. */
const noMatch = 5;

/** Returns how well an entry matches: its whole label, the start of it, starts of words in it, anywhere in it, or its keywords. */
function rankOf({ label, keywords = '' }: PaletteEntry, terms: readonly string[]): number {
  const own = wordsIn(label);
  const all = [...own, ...wordsIn(keywords)];
  const name = own.join(' ');
  const search = terms.join(' ');
  if (name === search) return 0;
  if (name.startsWith(search)) return 1;
  if (terms.every((term) => own.some((word) => word.startsWith(term)))) return 2;
  if (terms.every((term) => name.includes(term))) return 3;
  return terms.every((term) => all.some((word) => word.startsWith(term))) ? 4 : noMatch;
}

/** Ignores case and accents, as the server's search does. Marks are removed before normalizing, which sorts long runs slowly. */
const wordsIn = (text: string): string[] =>
  text
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Groups entries, in the order in which the groups first appear. */
export function groupEntries(
  entries: readonly PaletteEntry[],
): { readonly group: string; readonly entries: readonly PaletteEntry[] }[] {
  const groups = new Map<string, PaletteEntry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([group, entries]) => ({ group, entries }));
}

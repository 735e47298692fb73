import type { ComponentType } from 'react';

/** A page, record or command in the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: 'Dashboards' | 'Recent' | 'Reports' | 'Pages' | 'Actions' | 'Organizations';
  readonly label: string;
  /** Distinguishes entries with the same label. */
  readonly detail?: string | undefined;
  /** Other words that find the entry. */
  readonly keywords?: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly run: () => void;
}

/** Returns the entries in which every word of the search is the start of a word. */
export function matchingEntries(entries: readonly PaletteEntry[], search: string): PaletteEntry[] {
  const terms = wordsIn(search);
  return entries.filter(({ label, keywords = '' }) => {
    const own = wordsIn(`${label} ${keywords}`);
    return terms.every((term) => own.some((word) => word.startsWith(term)));
  });
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
): { readonly group: PaletteEntry['group']; readonly entries: readonly PaletteEntry[] }[] {
  const groups = new Map<PaletteEntry['group'], PaletteEntry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([group, entries]) => ({ group, entries }));
}

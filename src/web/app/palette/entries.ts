import type { ComponentType } from 'react';

/** Something that the palette leads to, or does. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: 'Dashboards' | 'Recent' | 'Reports' | 'Pages' | 'Actions' | 'Organizations';
  readonly label: string;
  /** What tells it from others of its name. */
  readonly detail?: string | undefined;
  /** Other words that it is found by. */
  readonly words?: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly run: () => void;
}

/** Returns the entries in which each word that is looked for begins a word. */
export function matchingEntries(entries: readonly PaletteEntry[], sought: string): PaletteEntry[] {
  const terms = wordsIn(sought);
  return entries.filter(({ label, words = '' }) => {
    const own = wordsIn(`${label} ${words}`);
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

/** Returns the entries of each group behind each other, in the order in which the groups first come. */
export function groupEntries(
  entries: readonly PaletteEntry[],
): { readonly group: PaletteEntry['group']; readonly entries: readonly PaletteEntry[] }[] {
  const groups = new Map<PaletteEntry['group'], PaletteEntry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([group, entries]) => ({ group, entries }));
}

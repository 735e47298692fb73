import { useState } from 'react';
import { toggled } from './selection.ts';

/** The items of a list that are selected. */
export interface Selection<Item extends { readonly id: string }> {
  /** Those that are shown, in their order. */
  readonly items: readonly Item[];
  readonly shownCount: number;
  has(id: string): boolean;
  /** Selects an item or no longer; `isRange` includes those between it and the one before. */
  toggle(id: string, isRange: boolean): void;
  selectShown(): void;
  clear(): void;
}

/** Selects items of a list. Another `place`, such as another folder, starts with none. */
export function useSelection<Item extends { readonly id: string }>(
  shown: readonly Item[],
  place: string,
): Selection<Item> {
  const none = {
    place,
    ids: new Set<string>() as ReadonlySet<string>,
    last: undefined as string | undefined,
  };
  const [stored, setStored] = useState(none);
  const state = stored.place === place ? stored : none;
  const shownIds = shown.map(({ id }) => id);
  return {
    items: shown.filter(({ id }) => state.ids.has(id)),
    shownCount: shown.length,
    has: (id) => state.ids.has(id),
    toggle: (id, isRange) =>
      setStored({
        place,
        ids: toggled(state.ids, shownIds, { id, from: isRange ? state.last : undefined }),
        last: id,
      }),
    selectShown: () => setStored({ ...state, ids: new Set(shownIds) }),
    clear: () => setStored(none),
  };
}

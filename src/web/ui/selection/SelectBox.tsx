import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Selection } from './use-selection.ts';

/** Selects an item of a list; with Shift, all between it and the one that was selected before. */
export const SelectBox = <Item extends { readonly id: string; readonly name: string }>({
  item: { id, name },
  selection,
}: {
  readonly item: Item;
  readonly selection: Selection<Item>;
}): ReactNode => (
  <Checkbox
    size="sm"
    aria-label={t('Select {name}', { name })}
    checked={selection.has(id)}
    // Browsers report the change of a checkbox by a click, also when a key is pressed.
    onChange={({ nativeEvent }) =>
      selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
    }
  />
);

/** Selects all items that a list shows, or none. */
export const SelectAllBox = <Item extends { readonly id: string }>({
  selection: { items, shownCount, selectShown, clear },
}: {
  readonly selection: Selection<Item>;
}): ReactNode => (
  <Checkbox
    size="sm"
    aria-label={t('Select all shown')}
    checked={items.length === shownCount}
    indeterminate={items.length > 0 && items.length < shownCount}
    onChange={items.length === shownCount ? clear : selectShown}
  />
);

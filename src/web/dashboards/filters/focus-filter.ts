/** The ID of the group of controls of a filter. */
export const idOfFilter = (name: string): string => `filter-${name}`;

/** Moves the focus to the first control of a filter. On a phone, the filters have to be open. */
export function focusFilter(name: string): void {
  // After the menu has returned the focus to its button.
  requestAnimationFrame(() => {
    const group = document.getElementById(idOfFilter(name));
    group?.querySelector<HTMLElement>('input, button')?.focus();
    group?.scrollIntoView({ block: 'nearest' });
  });
}

import { administration, places } from '../palette/places.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What the key beside the space bar is called here. */
export const commandKey = isApple ? '⌘' : 'Ctrl';

/** Where `g` and a letter lead. */
export const letterPlaces = [...places, ...administration].filter((place) => place.key !== undefined);

const storageKey = 'atrium:letter-shortcuts';

/** Whether letters alone do something: whoever dictates turns it off (WCAG 2.2, 2.1.4). */
export const hasLetterShortcuts = (): boolean => localStorage.getItem(storageKey) !== 'off';

export const keepLetterShortcuts = (isOn: boolean): void =>
  localStorage.setItem(storageKey, isOn ? 'on' : 'off');

import { t } from '#shared/language/messages.ts';
import { administration, places } from '../../palette/places.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The name of the modifier key of shortcuts on this system. */
export const commandKey = isApple ? '⌘' : t('Ctrl');

/** The pages that `g` and a letter open. */
export const letterPlaces = [...places, ...administration].filter((place) => place.key !== undefined);

const storageKey = 'atrium:letter-shortcuts';

/** Whether single-key shortcuts are on. People who use voice input turn them off (WCAG 2.2, 2.1.4). */
export const hasLetterShortcuts = (): boolean => localStorage.getItem(storageKey) !== 'off';

export const storeLetterShortcuts = (isOn: boolean): void =>
  localStorage.setItem(storageKey, isOn ? 'on' : 'off');

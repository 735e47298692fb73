import { useSyncExternalStore } from 'react';
import { findJson, storeJson } from '../../ui/browser/stored-json.ts';

const name = 'atrium:chart-patterns';
const listeners = new Set<() => void>();

/** Whether charts have patterns now, as the reader chose in this browser. */
export const hasChosenPatterns = (): boolean =>
  findJson(localStorage, name, (value) => (typeof value === 'boolean' ? value : undefined)) ?? false;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether charts have patterns, as the reader chose in this browser. */
export const useHasPatterns = (): boolean => useSyncExternalStore(subscribe, hasChosenPatterns);

export function choosePatterns(hasPatterns: boolean): void {
  storeJson(localStorage, name, hasPatterns);
  for (const listener of listeners) listener();
}

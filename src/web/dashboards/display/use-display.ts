import { useEffect, useState, useSyncExternalStore } from 'react';
import { followDisplay, type DisplayState } from './follower.ts';
import { readDisplayedDashboard } from './read-display.ts';

/** Reads the dashboard of a wall display for as long as the page is open. `check` reads it at once. */
export function useDisplay(token: string): DisplayState & { readonly check: () => void } {
  const [follower] = useState(() =>
    followDisplay({
      read: (signal) => readDisplayedDashboard(token, signal),
      wait(callback, milliseconds) {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
      },
      now: Date.now,
      random: Math.random,
    }),
  );
  const state = useSyncExternalStore(follower.subscribe, follower.state);
  useEffect(() => {
    follower.check();
    window.addEventListener('online', follower.check);
    return () => {
      window.removeEventListener('online', follower.check);
      follower.stop();
    };
  }, [follower]);
  return { ...state, check: follower.check };
}

import { useEffect } from 'react';

/** Keeps the screen on while the page is visible, in browsers that can (Screen Wake Lock API). */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isEnded = false;
    const request = () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      // Browsers refuse it on a low battery, which is no reason to show less.
      navigator.wakeLock.request('screen').then((granted) => {
        if (isEnded) void granted.release();
        else lock = granted;
      }, ignore);
    };
    request();
    // The browser takes it back when the page is hidden.
    document.addEventListener('visibilitychange', request);
    return () => {
      isEnded = true;
      document.removeEventListener('visibilitychange', request);
      lock?.release().catch(ignore);
    };
  }, []);
}

const ignore = (): void => {};

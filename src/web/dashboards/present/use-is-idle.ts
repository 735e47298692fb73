import { useEffect, useState } from 'react';

const afterMs = 3_000;

/** Returns whether nobody has moved the pointer, touched or typed for three seconds. */
export function useIsIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    const wait = () => setTimeout(() => setIsIdle(true), afterMs);
    let timer = wait();
    const onActive = () => {
      clearTimeout(timer);
      setIsIdle(false);
      timer = wait();
    };
    const events = ['pointermove', 'pointerdown', 'keydown'] as const;
    for (const event of events) document.addEventListener(event, onActive);
    return () => {
      clearTimeout(timer);
      for (const event of events) document.removeEventListener(event, onActive);
    };
  }, []);
  return isIdle;
}

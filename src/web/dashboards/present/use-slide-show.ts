import { useCallback, useEffect, useState } from 'react';

export interface SlideShow {
  /** The number of the slide that is shown, from 0. */
  readonly index: number;
  readonly isPaused: boolean;
  /** Shows the next slide (1) or the previous one (-1). */
  readonly move: (by: 1 | -1) => void;
  readonly togglePause: () => void;
}

/** Shows one of `count` slides after the other, each for `everySeconds`, and starts again after the last one. */
export function useSlideShow(count: number, everySeconds: number): SlideShow {
  const [at, setAt] = useState(0);
  const [isPaused, setIsPaused] = useState(false);
  const index = count === 0 ? 0 : at % count;
  const move = useCallback(
    (by: 1 | -1) => setAt((now) => (count === 0 ? 0 : (now + by + count) % count)),
    [count],
  );
  useEffect(() => {
    if (isPaused || count < 2) return undefined;
    const timer = setTimeout(() => move(1), everySeconds * 1_000);
    return () => clearTimeout(timer);
  }, [isPaused, count, everySeconds, move, at]);
  return { index, isPaused, move, togglePause: useCallback(() => setIsPaused((was) => !was), []) };
}

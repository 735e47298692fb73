/** For so long one transaction computes before others have their turn of the event loop. */
const turnMs = 20;

/** Work that gives way to others now and then. */
export interface Turn {
  /** Begins the time over, as when others have just had their turn. */
  begin(): void;
  /** Returns what to wait for before going on, or undefined while the turn is not over. */
  whenOver(): Promise<void> | undefined;
}

export function createTurn(): Turn {
  let beganAt = performance.now();
  const begin = () => {
    beganAt = performance.now();
  };
  return {
    begin,
    whenOver: () =>
      performance.now() - beganAt < turnMs
        ? undefined
        : new Promise<void>((resolve) => setImmediate(resolve)).then(begin),
  };
}

/** How long a transaction may compute before it yields to the event loop. */
const turnMs = 20;

/** Work that yields to the event loop periodically. */
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

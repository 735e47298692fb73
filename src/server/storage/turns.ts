/** How long a transaction may compute before it yields to the event loop. */
const turnMs = 20;

/** Work that yields to the event loop periodically. */
export interface Turn {
  /** Restarts the time, for example when other work has just run. */
  begin(): void;
  /** Returns a promise to await before continuing, or undefined while the turn is not over. */
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

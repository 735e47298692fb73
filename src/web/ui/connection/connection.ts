/** Whether the server responds, as the requests of this page show. */
export interface Connection {
  readonly isLost: () => boolean;
  /** Called when a request got no response: asks the server again and again until it responds. */
  readonly reportLost: () => void;
  /** Called when a request got a response. */
  readonly reportBack: () => void;
  /** Asks the server now. */
  readonly check: () => Promise<void>;
  /** Resolves as soon as the server responds. */
  readonly whenBack: () => Promise<void>;
  /** Calls `listener` whenever the connection is lost or back. Returns a function that removes it. */
  readonly subscribe: (listener: () => void) => () => void;
}

const longestWaitMs = 5_000;

/**
 * Returns a connection that asks the server with `ping`. `wait` calls back after some milliseconds; the pauses between
 * attempts become longer, up to five seconds.
 */
export function createConnection(
  ping: () => Promise<boolean>,
  wait: (callback: () => void, milliseconds: number) => void,
): Connection {
  let isLost = false;
  const listeners = new Set<() => void>();

  function change(next: boolean): void {
    if (isLost === next) return;
    isLost = next;
    for (const listener of listeners) listener();
  }
  const check = async (): Promise<void> => {
    if (await ping()) change(false);
    else reportLost();
  };
  function reportLost(): void {
    if (isLost) return;
    change(true);
    tryLater(1);
  }
  const tryLater = (attempt: number): void =>
    wait(
      () =>
        void ping().then((responds) => {
          if (!isLost) return;
          if (responds) change(false);
          else tryLater(attempt + 1);
        }),
      Math.min(attempt * 1_000, longestWaitMs),
    );
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    isLost: () => isLost,
    reportLost,
    reportBack: () => change(false),
    check,
    whenBack: () =>
      new Promise((resolve) => {
        if (!isLost) return resolve();
        const stop = subscribe(() => {
          stop();
          resolve();
        });
      }),
    subscribe,
  };
}

/** The connection of this page to its server. */
export const connection = createConnection(
  () =>
    fetch('/api/health/ready', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
  (callback, milliseconds) => void setTimeout(callback, milliseconds),
);

import type { DatabaseFault } from '#contract/server.ts';

export interface FaultListener {
  /** Called once when a fault starts, however many requests encounter it. Anyone may read its detail. */
  began(fault: DatabaseFault, error: unknown): void;
  ended(fault: DatabaseFault): void;
}

export interface Faults {
  /** Records a fault, unless there is one with its code; `isOver` is called periodically until it returns true. */
  begin(fault: DatabaseFault, error: unknown, isOver: () => Promise<boolean>): void;
  list(): readonly DatabaseFault[];
  /** Also calls `began` for the current faults. Returns a function that unsubscribes the listener. */
  add(listener: FaultListener): () => void;
  close(): void;
}

interface Current {
  readonly fault: DatabaseFault;
  readonly error: unknown;
  readonly isOver: () => Promise<boolean>;
}

export const checkFaultsEveryMs = 5_000;

/** Returns the record of one database's faults, which is empty at first. */
export function createFaults(checkEveryMs = checkFaultsEveryMs): Faults {
  const current = new Map<DatabaseFault['code'], Current>();
  const listeners = new Set<FaultListener>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    for (const [code, { fault, isOver }] of current) {
      if (!(await isOver().catch(() => false))) continue;
      current.delete(code);
      for (const listener of listeners) listener.ended(fault);
    }
    isChecking = false;
    if (current.size === 0) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    begin(fault, error, isOver) {
      if (current.has(fault.code)) return;
      current.set(fault.code, { fault, error, isOver });
      for (const listener of listeners) listener.began(fault, error);
      timer ??= setInterval(() => void check(), checkEveryMs).unref();
    },
    list: () => [...current.values()].map(({ fault }) => fault),
    add(listener) {
      listeners.add(listener);
      for (const { fault, error } of current.values()) listener.began(fault, error);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}

import { concernsStorage, type StorageError } from './errors.ts';

/** The state of the storage, for the operator. */
export interface StorageState {
  readonly isReachable: boolean;
  readonly lastError: { readonly at: number; readonly message: string } | undefined;
  /** How many files could not be read because their objects are missing or damaged. */
  readonly damagedCount: number;
}

export interface StorageListener {
  /** Called once when the storage becomes unreachable, however many requests fail. */
  began(error: StorageError): void;
  ended(): void;
  /** Called once for each object that is missing or damaged. */
  damaged(key: string, error: StorageError): void;
}

export interface StorageHealth {
  state(): StorageState;
  succeeded(key?: string): void;
  failed(error: StorageError, key?: string): void;
  /** Returns the fault of a missing or damaged object for a minute, so that it isn't downloaded for every query. */
  findDamage(key: string): StorageError | undefined;
  /** Forgets the damage of an object that was deleted. */
  forget(key: string): void;
  listen(listener: StorageListener): void;
  close(): void;
}

const rememberMs = 60_000;
const checkEveryMs = 5_000;

/** Records whether the storage works. While it doesn't, `check` is called periodically; it rejects as long as the fault lasts. */
export function createStorageHealth(check: () => Promise<unknown>, now = Date.now): StorageHealth {
  const listeners = new Set<StorageListener>();
  const damaged = new Map<string, { readonly error: StorageError; readonly at: number }>();
  let fault: StorageError | undefined;
  let lastError: StorageState['lastError'];
  let timer: NodeJS.Timeout | undefined;

  function succeeded(key = ''): void {
    damaged.delete(key);
    if (fault === undefined) return;
    fault = undefined;
    clearInterval(timer);
    for (const listener of listeners) listener.ended();
  }

  async function tryCheck(): Promise<void> {
    try {
      await check();
      succeeded();
    } catch {
      // The fault lasts.
    }
  }
  const checkAgain = (): void => void tryCheck();

  return {
    state: () => ({ isReachable: fault === undefined, lastError, damagedCount: damaged.size }),
    succeeded,
    failed(error, key = '') {
      lastError = { at: now(), message: error.message };
      if (error.fault === 'missing' || error.fault === 'damaged') {
        if (!damaged.has(key)) for (const listener of listeners) listener.damaged(key, error);
        damaged.set(key, { error, at: now() });
      }
      if (!concernsStorage(error) || fault !== undefined) return;
      fault = error;
      for (const listener of listeners) listener.began(error);
      timer = setInterval(checkAgain, checkEveryMs).unref();
    },
    findDamage(key) {
      const found = damaged.get(key);
      return found === undefined || found.at + rememberMs < now() ? undefined : found.error;
    },
    forget: (key) => void damaged.delete(key),
    listen(listener) {
      listeners.add(listener);
      if (fault !== undefined) listener.began(fault);
    },
    close: () => clearInterval(timer),
  };
}

/** Receives the ids of records that have changed. */
export interface AnnouncementListener {
  announced(id: string): void;
  /** Called once for consecutive failures. Until announcements arrive again, changes are only found by polling. */
  failed(error: unknown): void;
}

export interface Listeners extends AnnouncementListener {
  /** Returns a function that removes the listener. */
  add(listener: AnnouncementListener): () => void;
}

/** Returns the listeners of this process, all of which receive every announcement. */
export function createListeners(): Listeners {
  const listeners = new Set<AnnouncementListener>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announced(id) {
      for (const listener of listeners) listener.announced(id);
    },
    failed(error) {
      for (const listener of listeners) listener.failed(error);
    },
  };
}

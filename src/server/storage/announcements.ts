/** Hears which records have changed. */
export interface AnnouncementListener {
  announced(id: string): void;
  /** Called once for a row of failures: until announcements come again, only looking finds what has changed. */
  failed(error: unknown): void;
}

export interface Listeners extends AnnouncementListener {
  /** Returns what takes the listener away again. */
  add(listener: AnnouncementListener): () => void;
}

/** Returns those in this process who hear of changes: what one is told, all are. */
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

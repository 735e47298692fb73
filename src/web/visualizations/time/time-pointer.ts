import type { WallTime } from '#charts/time/wall-clock.ts';

type Listener = (time: WallTime | undefined) => void;

/** The time that people point at in one of several charts, for the others. */
export interface TimePointer {
  /** Reports the time that is pointed at; undefined if none is. The others hear of it once per frame. */
  readonly point: (source: Listener, time: WallTime | undefined) => void;
  /** Calls `listener` after changes in other charts, until the returned function is called. */
  readonly subscribe: (listener: Listener) => () => void;
}

export function createTimePointer(): TimePointer {
  const listeners = new Set<Listener>();
  let next: { readonly source: Listener; readonly time: WallTime | undefined } | undefined;
  return {
    point(source, time) {
      if (next === undefined && listeners.size > 0) {
        requestAnimationFrame(() => {
          const { source: from, time: at } = next ?? {};
          next = undefined;
          for (const listener of listeners) if (listener !== from) listener(at);
        });
      }
      next = { source, time };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

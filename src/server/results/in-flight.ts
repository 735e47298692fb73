import { QueryFailure } from '../engine/failure.ts';

interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly abort: AbortController;
  /** The ids of the people who wait; a person who waits twice is in it twice. */
  readonly askers: string[];
  isOver: boolean;
}

/** Equal work that is under way is done once. */
export interface Flights<Value> {
  /**
   * Returns what `work` returns, or what the same work for another returns that has begun already. It is aborted when
   * nobody waits for it any more. `work` gets the ids of the people who wait, `asker` and those who come later, as they
   * come and go; `onJoined` is called when one has come to work that was there.
   */
  join(
    key: string,
    options: {
      readonly asker: string;
      readonly signal: AbortSignal | undefined;
      readonly onJoined?: () => void;
    },
    work: (signal: AbortSignal, askers: readonly string[]) => Promise<Value>,
  ): Promise<Value>;
}

export function createFlights<Value>(): Flights<Value> {
  const flights = new Map<string, Flight<Value>>();

  type Work = (signal: AbortSignal, askers: readonly string[]) => Promise<Value>;

  function begin(key: string, asker: string, work: Work): Flight<Value> {
    const abort = new AbortController();
    const askers = [asker];
    const value = work(abort.signal, askers).finally(() => {
      flight.isOver = true;
      if (flights.get(key) === flight) flights.delete(key);
    });
    // Those who wait are told; nobody else is, when all have left.
    value.catch(() => {});
    const flight: Flight<Value> = { value, abort, askers, isOver: false };
    flights.set(key, flight);
    return flight;
  }

  return {
    async join(key, { asker, signal, onJoined }, work) {
      if (signal?.aborted === true) throw new QueryFailure('cancelled', 'The query was not wanted any more.');
      const existing = flights.get(key);
      const flight = existing ?? begin(key, asker, work);
      if (existing !== undefined) {
        existing.askers.push(asker);
        onJoined?.();
      }
      let leave = (): void => {};
      const left = new Promise<never>((_resolve, reject) => {
        leave = () => reject(new QueryFailure('cancelled', 'The query was not wanted any more.'));
      });
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([flight.value, left]);
      } finally {
        signal?.removeEventListener('abort', leave);
        flight.askers.splice(flight.askers.indexOf(asker), 1);
        if (flight.askers.length === 0 && !flight.isOver) {
          // Whoever asks from now on begins anew, rather than to wait for what ends.
          if (flights.get(key) === flight) flights.delete(key);
          flight.abort.abort();
        }
      }
    },
  };
}

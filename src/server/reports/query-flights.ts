import { QueryFailure } from '../queries/query-failure.ts';

interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly abort: AbortController;
  waiting: number;
  isOver: boolean;
}

/** Equal work that is under way is done once. */
export interface Flights<Value> {
  /**
   * Returns what `work` returns, or what the same work for another returns that has begun already. It is aborted when
   * nobody waits for it any more.
   */
  join(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value>;
}

export function createFlights<Value>(): Flights<Value> {
  const flights = new Map<string, Flight<Value>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const abort = new AbortController();
    const value = work(abort.signal).finally(() => {
      flight.isOver = true;
      if (flights.get(key) === flight) flights.delete(key);
    });
    // Those who wait are told; nobody else is, when all have left.
    value.catch(() => {});
    const flight: Flight<Value> = { value, abort, waiting: 0, isOver: false };
    flights.set(key, flight);
    return flight;
  }

  return {
    async join(key, signal, work) {
      if (signal?.aborted === true) throw new QueryFailure('cancelled', 'The query was not wanted any more.');
      const flight = flights.get(key) ?? begin(key, work);
      flight.waiting += 1;
      let leave = (): void => {};
      const left = new Promise<never>((_resolve, reject) => {
        leave = () => reject(new QueryFailure('cancelled', 'The query was not wanted any more.'));
      });
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([flight.value, left]);
      } finally {
        signal?.removeEventListener('abort', leave);
        flight.waiting -= 1;
        if (flight.waiting === 0 && !flight.isOver) {
          // Whoever asks from now on begins anew, rather than to wait for what ends.
          if (flights.get(key) === flight) flights.delete(key);
          flight.abort.abort();
        }
      }
    },
  };
}

import type { DisplayedDashboard } from '#contract/dashboards/display.ts';
import { ApiProblem } from '../../app/api.ts';

/** What a wall display knows of its dashboard. */
export interface DisplayState {
  /** The dashboard as it was last read; undefined before that, and once the link is refused. */
  readonly displayed: DisplayedDashboard | undefined;
  /** Whether the server refuses the link. */
  readonly isRefused: boolean;
  /** While the server doesn't respond: when it last did, or was first asked, in milliseconds since 1970. */
  readonly awaySince: number | undefined;
  /** How many times the server was back after it had been away. */
  readonly returns: number;
}

interface DisplayFollower {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => DisplayState;
  /** Reads the dashboard now, unless that is already happening. */
  check(): void;
  /** Stops until the next check. */
  stop(): void;
}

export const checkEveryMs = 30_000;
const longestWaitMs = 60_000;
/** A link that is refused can work again, such as when its dashboard is restored. Failed tokens are limited by address. */
export const refusedWaitMs = 300_000;

/**
 * Returns what reads the dashboard of a wall display again and again with `read`. If the server doesn't respond, the waits grow from
 * one second to a minute; `random`, from 0 to 1, varies them, so that displays don't all return at the same moment.
 */
export function followDisplay({
  read,
  wait,
  now,
  random,
}: {
  readonly read: (signal: AbortSignal) => Promise<DisplayedDashboard>;
  /** Calls back after some milliseconds. Returns a function that prevents it. */
  readonly wait: (callback: () => void, milliseconds: number) => () => void;
  readonly now: () => number;
  readonly random: () => number;
}): DisplayFollower {
  const listeners = new Set<() => void>();
  let state: DisplayState = { displayed: undefined, isRefused: false, awaySince: undefined, returns: 0 };
  let respondedAt: number | undefined;
  let attempts = 0;
  let running: AbortController | undefined;
  let cancelWait = (): void => {};

  function change(changed: Partial<DisplayState>): void {
    state = { ...state, ...changed };
    for (const listener of listeners) listener();
  }

  /** Returns how long to wait before the next request. */
  function receive(displayed: DisplayedDashboard): number {
    const isSame = JSON.stringify(displayed) === JSON.stringify(state.displayed);
    change({
      displayed: isSame ? state.displayed : displayed,
      isRefused: false,
      awaySince: undefined,
      returns: state.returns + (state.awaySince === undefined ? 0 : 1),
    });
    respondedAt = now();
    attempts = 0;
    return checkEveryMs;
  }

  function fail(error: unknown, startedAt: number): number {
    if (error instanceof ApiProblem && error.code === 'link_not_valid') {
      attempts = 0;
      change({ displayed: undefined, isRefused: true, awaySince: undefined });
      return refusedWaitMs;
    }
    change({ awaySince: state.awaySince ?? respondedAt ?? startedAt });
    attempts += 1;
    return Math.min(1_000 * 2 ** (attempts - 1), longestWaitMs) * (0.8 + 0.4 * random());
  }

  async function run(controller: AbortController): Promise<void> {
    const startedAt = now();
    const isCurrent = () => running === controller;
    const outcome = await read(controller.signal).then(
      (displayed) => () => receive(displayed),
      (error: unknown) => () => fail(error, startedAt),
    );
    if (!isCurrent()) return;
    running = undefined;
    cancelWait = wait(check, outcome());
  }

  function check(): void {
    if (running !== undefined) return;
    cancelWait();
    running = new AbortController();
    void run(running);
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    check,
    stop() {
      cancelWait();
      running?.abort();
      running = undefined;
    },
  };
}

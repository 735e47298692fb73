import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { EndReason } from '#contract/dashboards/events.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import type { Database } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { openEventStream, type EventStream } from './event-stream.ts';
import { lookAtDashboards, newsOf, type FindOpenSessions, type View, type Watcher } from './visibility.ts';

/** What nobody announced is found this much later. */
const lookEveryMs = 2_500;
/** Between two looks at least, so that a dashboard that is saved without pause is not read without pause. */
const restMs = 50;
/** Half of what a silent connection is given. */
const beatEveryMs = 15_000;
/** How many listeners share the queries of a look. */
const lookedAtOnce = 200;
const maxStreamsOfUser = 20;

export interface DashboardWatch {
  /**
   * Returns the events of a dashboard as a text to send. Throws `not_found` and `sso_required`, `too_many_streams` when
   * the actor has many open, and `unavailable` once the watch is closed.
   */
  open(actor: Actor, dashboardId: string): Promise<Readable>;
  /** Ends all streams; waits for a look under way. */
  close(): Promise<void>;
}

interface Listener extends Watcher {
  readonly stream: EventStream;
  /** The ids whose announcements concern it. */
  readonly interests: readonly string[];
  seen: View | undefined;
}

/**
 * Watches the dashboards that somebody listens to. There is one source of what is told: the database, looked at when
 * something was announced, and now and then. A look reads each dashboard once for all its listeners, and each time
 * what they may: who may see it no longer is told so, and nothing else.
 */
export function createDashboardWatch(needs: {
  readonly database: Database;
  readonly clock: Clock;
  readonly findOpenSessions: FindOpenSessions;
  /** Called once for a row of looks that failed, and when announcements no longer come. */
  readonly onFailure: (what: 'look' | 'announcements', error: unknown) => void;
}): DashboardWatch {
  const { database, onFailure } = needs;
  /** The listeners by each of their interests. */
  const interested = new Map<string, Set<Listener>>();
  const listeners = new Set<Listener>();
  /** The ids of the dashboards to look at next. */
  const nudged = new Set<string>();
  let next: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isFailing = false;
  let lookedAtMs = 0;
  let timers: NodeJS.Timeout[] = [];
  let stopHearing: (() => void) | undefined;
  let isClosed = false;

  function nudge(dashboardId: string): void {
    nudged.add(dashboardId);
    if (looking !== undefined || next !== undefined || isClosed) return;
    next = setTimeout(startLooking, Math.max(0, lookedAtMs + restMs - performance.now()));
  }

  function startLooking(): void {
    next = undefined;
    looking = look().finally(() => {
      looking = undefined;
      lookedAtMs = performance.now();
      for (const id of nudged) nudge(id);
    });
  }

  async function look(): Promise<void> {
    const watchers = [...nudged].flatMap((id) => [...(interested.get(id) ?? [])]);
    nudged.clear();
    try {
      for (let start = 0; start < watchers.length; start += lookedAtOnce) {
        // The embedded database answers without ever yielding, so others have their turn in between.
        if (start > 0) await setImmediate();
        const part = watchers.slice(start, start + lookedAtOnce);
        const sightOf = await lookAtDashboards({ ...needs, reader: database }, part);
        for (const listener of part) if (listeners.has(listener)) tell(listener, sightOf(listener));
      }
      isFailing = false;
    } catch (error) {
      // Nobody is told anything that was not looked up; the next look makes up for it.
      if (!isFailing) onFailure('look', error);
      isFailing = true;
    }
  }

  function tell(listener: Listener, sight: ReturnType<Awaited<ReturnType<typeof lookAtDashboards>>>): void {
    const { stream, seen } = listener;
    if ('refusal' in sight) {
      endWith(listener, sight.refusal);
      return;
    }
    const { view } = sight;
    if (view.state.isDeleted) {
      const { deletedBy, version } = view.state;
      const data = deletedBy === undefined ? {} : { userId: deletedBy };
      stream.end({ event: 'deleted', id: String(version), data });
      return;
    }
    for (const event of newsOf(seen, view)) stream.send(event);
    listener.seen = view;
  }

  function add(actor: Actor, dashboardId: string, organizationId: string | undefined): Listener {
    const stream = openEventStream(() => remove(listener));
    const interests = [dashboardId, actor.userId, actor.credential.sessionId, organizationId ?? dashboardId];
    const listener: Listener = { dashboardId, actor, stream, interests, seen: undefined };
    listeners.add(listener);
    for (const id of interests) interested.set(id, (interested.get(id) ?? new Set()).add(listener));
    if (listeners.size === 1) begin();
    return listener;
  }

  function remove(listener: Listener): void {
    if (!listeners.delete(listener)) return;
    for (const id of listener.interests) {
      interested.get(id)?.delete(listener);
      if (interested.get(id)?.size === 0) interested.delete(id);
    }
    if (listeners.size === 0) rest();
  }

  function begin(): void {
    stopHearing ??= database.onAnnounced({
      announced: (id) => interested.get(id)?.forEach(({ dashboardId }) => nudge(dashboardId)),
      failed: (error) => onFailure('announcements', error),
    });
    timers = [
      setInterval(() => listeners.forEach(({ dashboardId }) => nudge(dashboardId)), lookEveryMs).unref(),
      setInterval(() => listeners.forEach(({ stream }) => stream.beat()), beatEveryMs).unref(),
    ];
  }

  function rest(): void {
    for (const timer of timers) clearInterval(timer);
    timers = [];
  }

  function requireRoom(actor: Actor): void {
    if (isClosed) throw new AtriumError('unavailable', 'The server is about to stop.');
    if ((interested.get(actor.userId)?.size ?? 0) < maxStreamsOfUser) return;
    throw new AtriumError(
      'too_many_streams',
      `You have ${maxStreamsOfUser} streams open; close one of them.`,
    );
  }

  return {
    async open(actor, dashboardId) {
      const { organizationId } = await requireDashboard(database, actor, dashboardId);
      requireRoom(actor);
      const { stream } = add(actor, dashboardId, organizationId);
      nudge(dashboardId);
      return stream.readable;
    },
    async close() {
      isClosed = true;
      clearTimeout(next);
      stopHearing?.();
      for (const listener of listeners) endWith(listener, 'unavailable');
      await looking;
    },
  };
}

const endWith = ({ stream }: Listener, reason: EndReason): void =>
  stream.end({ event: 'ended', data: { reason } });

import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { EndReason } from '#contract/dashboards/events.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import type { Database } from '../../storage/database.ts';
import { newId } from '../../base/ids.ts';
import { requireDashboard } from '../access/access.ts';
import { createPresence } from './presence.ts';
import { openEventStream, type EventStream } from './event-stream.ts';
import {
  eventsSince,
  findVisibility,
  type FindOpenCredentials,
  type View,
  type Visibility,
  type Watcher,
} from './visibility.ts';

/** How often all dashboards are checked for changes that weren't announced. */
const checkEveryMs = 2_500;
/** The pause between two checks, so that a dashboard that is saved continually isn't read continually. */
const pauseMs = 50;
/** Half of the time after which an idle connection is closed. */
const heartbeatEveryMs = 15_000;
/** How many listeners share the queries of a check. */
const listenersPerQuery = 200;
const maxStreamsOfUser = 20;

export interface DashboardWatch {
  /**
   * Returns the events of a dashboard as text to send. Throws `not_found` and `sso_required`, `too_many_streams` if the actor
   * has too many streams open, and `unavailable` once the watch is closed.
   */
  open(actor: Actor, dashboardId: string): Promise<Readable>;
  /** Ends all streams, and waits for a running check. */
  close(): Promise<void>;
}

interface Listener extends Watcher {
  readonly id: string;
  readonly stream: EventStream;
  /** The IDs whose announcements concern it. */
  readonly topics: readonly string[];
  seen: View | undefined;
}

/**
 * Watches the dashboards that people listen to. Events come only from the database, which is checked when something was
 * announced, and at intervals. A check reads each dashboard once for all its listeners, and then their access: the streams of
 * listeners who lost access just end.
 */
export function createDashboardWatch(dependencies: {
  readonly database: Database;
  readonly clock: Clock;
  readonly findOpenCredentials: FindOpenCredentials;
  /** Called for the first of several failed checks in a row, and when announcements no longer arrive. */
  readonly onFailure: (what: 'check' | 'announcements', error: unknown) => void;
}): DashboardWatch {
  const { database, onFailure } = dependencies;
  const presence = createPresence(dependencies);
  /** The listeners by each of their topics. */
  const listenersByTopic = new Map<string, Set<Listener>>();
  const listeners = new Set<Listener>();
  /** The IDs of the dashboards to check next. */
  const scheduled = new Set<string>();
  let next: NodeJS.Timeout | undefined;
  let checking: Promise<void> | undefined;
  let isFailing = false;
  let checkedAtMs = 0;
  let timers: NodeJS.Timeout[] = [];
  let stopListening: (() => void) | undefined;
  let isClosed = false;

  function schedule(dashboardId: string): void {
    scheduled.add(dashboardId);
    if (checking !== undefined || next !== undefined || isClosed) return;
    next = setTimeout(startChecking, Math.max(0, checkedAtMs + pauseMs - performance.now()));
  }

  function startChecking(): void {
    next = undefined;
    checking = check().finally(() => {
      checking = undefined;
      checkedAtMs = performance.now();
      for (const id of scheduled) schedule(id);
    });
  }

  async function check(): Promise<void> {
    const watchers = [...scheduled].flatMap((id) => [...(listenersByTopic.get(id) ?? [])]);
    scheduled.clear();
    try {
      for (let start = 0; start < watchers.length; start += listenersPerQuery) {
        // The embedded database never waits, so let other work run in between.
        if (start > 0) await setImmediate();
        const part = watchers.slice(start, start + listenersPerQuery);
        const visibilityOf = await findVisibility({ ...dependencies, reader: database }, part);
        for (const listener of part) if (listeners.has(listener)) notify(listener, visibilityOf(listener));
      }
      isFailing = false;
    } catch (error) {
      // Nobody is notified of anything that wasn't read; the next check makes up for it.
      if (!isFailing) onFailure('check', error);
      isFailing = true;
    }
  }

  function notify(listener: Listener, visibility: Visibility): void {
    const { stream, seen } = listener;
    if ('refusal' in visibility) {
      endWith(listener, visibility.refusal);
      return;
    }
    const { view } = visibility;
    if (view.state.isDeleted) {
      const { deletedBy, version } = view.state;
      const data = deletedBy === undefined ? {} : { userId: deletedBy };
      stream.end({ event: 'deleted', id: String(version), data });
      return;
    }
    for (const event of eventsSince(seen, view)) stream.send(event);
    listener.seen = view;
  }

  function add(actor: Actor, dashboardId: string, organizationId: string | undefined): Listener {
    const stream = openEventStream(() => remove(listener));
    const topics = [dashboardId, actor.userId, actor.credential.id, organizationId ?? dashboardId];
    const listener: Listener = { id: newId(), dashboardId, actor, stream, topics, seen: undefined };
    listeners.add(listener);
    presence.opened(toOpen(listener));
    for (const id of topics) listenersByTopic.set(id, (listenersByTopic.get(id) ?? new Set()).add(listener));
    if (listeners.size === 1) start();
    return listener;
  }

  function remove(listener: Listener): void {
    if (!listeners.delete(listener)) return;
    presence.closed(toOpen(listener));
    for (const id of listener.topics) {
      listenersByTopic.get(id)?.delete(listener);
      if (listenersByTopic.get(id)?.size === 0) listenersByTopic.delete(id);
    }
    if (listeners.size === 0) stopTimers();
  }

  function start(): void {
    stopListening ??= database.onAnnounced({
      announced: (id) => listenersByTopic.get(id)?.forEach(({ dashboardId }) => schedule(dashboardId)),
      failed: (error) => onFailure('announcements', error),
    });
    timers = [
      setInterval(() => listeners.forEach(({ dashboardId }) => schedule(dashboardId)), checkEveryMs).unref(),
      setInterval(sendHeartbeats, heartbeatEveryMs).unref(),
    ];
  }

  function sendHeartbeats(): void {
    for (const { stream } of listeners) stream.sendHeartbeat();
    presence.extend([...listeners].map(({ id }) => id));
  }

  function stopTimers(): void {
    for (const timer of timers) clearInterval(timer);
    timers = [];
  }

  function requireStreamQuota(actor: Actor): void {
    if (isClosed) throw new AtriumError('unavailable', 'The server is stopping.');
    if ((listenersByTopic.get(actor.userId)?.size ?? 0) < maxStreamsOfUser) return;
    throw new AtriumError(
      'too_many_streams',
      `You have ${maxStreamsOfUser} streams open. Close one of them first.`,
    );
  }

  return {
    async open(actor, dashboardId) {
      const { organizationId } = await requireDashboard(database, actor, dashboardId);
      requireStreamQuota(actor);
      const { stream } = add(actor, dashboardId, organizationId);
      schedule(dashboardId);
      return stream.readable;
    },
    async close() {
      isClosed = true;
      clearTimeout(next);
      stopListening?.();
      for (const listener of listeners) endWith(listener, 'unavailable');
      await checking;
      await presence.flush();
    },
  };
}

const toOpen = ({ id, dashboardId, actor }: Listener) => ({ id, dashboardId, userId: actor.userId });

const endWith = ({ stream }: Listener, reason: EndReason): void =>
  stream.end({ event: 'ended', data: { reason } });

import { useEffect, useState } from 'react';
import type { CommentCounts, DashboardEvent, EditingPerson } from '#contract/dashboards/events.ts';
import { addressOf, call, isNotFound } from '../../app/api.ts';

/** The current state of a dashboard while it is open, as its events report it. */
export interface LiveDashboard {
  /** The newest version; undefined until it is known. */
  readonly version: number | undefined;
  /** Who saved it last; undefined if nobody has since it was opened. */
  readonly savedBy: { readonly userId: string; readonly userName: string } | undefined;
  /** The people who are editing it now. */
  readonly people: readonly EditingPerson[];
  /** The others who have it open now. */
  readonly viewers: readonly EditingPerson[];
  /** Undefined until it is known. */
  readonly comments: CommentCounts | undefined;
  /** Why the dashboard can't be shown any more. With `not_found`, it was deleted or you can no longer view it. */
  readonly endReason: 'deleted' | 'not_found' | undefined;
}

const nothingKnown: LiveDashboard = {
  version: undefined,
  savedBy: undefined,
  people: [],
  viewers: [],
  comments: undefined,
  endReason: undefined,
};
const eventNames = ['state', 'saved', 'editing', 'viewing', 'comments', 'deleted', 'ended'] as const;

/** Follows the events of a dashboard. If the connection breaks, the browser reconnects by itself. */
export function useDashboardEvents(dashboardId: string): LiveDashboard {
  const [live, setLive] = useState(nothingKnown);
  useEffect(() => {
    setLive(nothingKnown);
    const leaving = new AbortController();
    const source = new EventSource(
      addressOf('GET /api/dashboards/{dashboardId}/events', { params: { dashboardId } }),
    );
    for (const event of eventNames) {
      source.addEventListener(event, ({ data }: MessageEvent<string>) => {
        // Sound because the server sends the events of the contract.
        const received = { event, data: JSON.parse(data) as unknown } as DashboardEvent;
        setLive((known) => after(known, received));
      });
    }
    // The server ends the stream; reconnecting would only deliver the same event again.
    source.addEventListener('deleted', () => source.close());
    source.addEventListener('ended', ({ data }: MessageEvent<string>) => {
      const { reason } = JSON.parse(data) as Extract<DashboardEvent, { event: 'ended' }>['data'];
      if (reason !== 'unavailable') source.close();
    });
    // The browser doesn't reconnect after an error response, for example because the dashboard was deleted before the first
    // connection.
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      const request = { params: { dashboardId }, signal: leaving.signal };
      call('GET /api/dashboards/{dashboardId}', request).catch((error: unknown) => {
        if (isNotFound(error)) setLive((known) => ({ ...known, endReason: 'not_found' }));
      });
    });
    return () => {
      source.close();
      leaving.abort();
    };
  }, [dashboardId]);
  return live;
}

function after(known: LiveDashboard, { event, data }: DashboardEvent): LiveDashboard {
  switch (event) {
    case 'state':
      return {
        ...known,
        version: data.version,
        people: data.people,
        viewers: [],
        comments: data.comments,
      };
    case 'saved':
      return { ...known, version: data.version, savedBy: data };
    case 'editing':
      return { ...known, people: data.people };
    case 'viewing':
      return { ...known, viewers: data.people };
    case 'comments':
      return { ...known, comments: data };
    case 'deleted':
      return { ...known, endReason: 'deleted' };
    case 'ended':
      return data.reason === 'not_found' ? { ...known, endReason: 'not_found' } : known;
  }
}

import { useEffect, useState } from 'react';
import type { DashboardEvent, EditingPerson } from '#contract/dashboards/events.ts';
import { addressOf } from '../../app/api.ts';

/** What happens to a dashboard while one looks at it. */
export interface LiveDashboard {
  /** The version there is; undefined until it is known. */
  readonly version: number | undefined;
  /** Who saved it last, as far as that was seen. */
  readonly savedBy: { readonly userId: string; readonly userName: string } | undefined;
  readonly people: readonly EditingPerson[];
  readonly isDeleted: boolean;
}

const nothingKnown: LiveDashboard = { version: undefined, savedBy: undefined, people: [], isDeleted: false };
const eventNames = ['state', 'saved', 'editing', 'deleted'] as const;

/** Follows what happens to a dashboard. The browser connects again by itself when the connection breaks. */
export function useDashboardEvents(dashboardId: string): LiveDashboard {
  const [live, setLive] = useState(nothingKnown);
  useEffect(() => {
    setLive(nothingKnown);
    const source = new EventSource(
      addressOf('GET /api/dashboards/{dashboardId}/events', { params: { dashboardId } }),
    );
    for (const event of eventNames) {
      source.addEventListener(event, ({ data }: MessageEvent<string>) => {
        // Sound because the server sends what the contract says.
        const told = { event, data: JSON.parse(data) as unknown } as DashboardEvent;
        setLive((known) => after(known, told));
      });
    }
    // The server ends the stream itself; to come back would be to be told the same.
    source.addEventListener('deleted', () => source.close());
    source.addEventListener('ended', ({ data }: MessageEvent<string>) => {
      const { reason } = JSON.parse(data) as Extract<DashboardEvent, { event: 'ended' }>['data'];
      if (reason !== 'unavailable') source.close();
    });
    return () => source.close();
  }, [dashboardId]);
  return live;
}

function after(known: LiveDashboard, { event, data }: DashboardEvent): LiveDashboard {
  switch (event) {
    case 'state':
      return { ...known, version: data.version, people: data.people };
    case 'saved':
      return { ...known, version: data.version, savedBy: data };
    case 'editing':
      return { ...known, people: data.people };
    case 'deleted':
      return { ...known, isDeleted: true };
    case 'ended':
      return known;
  }
}

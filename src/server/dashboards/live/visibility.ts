import type { DashboardEvent, EditingPerson, EndReason } from '#contract/dashboards/events.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { findRefusal } from '../../organizations/authorization.ts';
import type { Reader } from '../../storage/database.ts';
import {
  findEditors,
  findSightings,
  findStates,
  viewerKey,
  type DashboardState,
} from './visibility-store.ts';

/** Somebody who watches a dashboard. */
export interface Watcher {
  readonly dashboardId: string;
  readonly actor: Actor;
}

/** Returns which of these sessions have not ended. */
export type FindOpenSessions = (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** A dashboard as one of its watchers sees it. */
export interface View {
  readonly state: DashboardState;
  readonly people: readonly EditingPerson[];
}

/** What a watcher sees, or why nothing any more. */
export type Sight = { readonly view: View } | { readonly refusal: EndReason };

/**
 * Looks at the dashboards of watchers, and then at what each watcher may: nobody sees what was so after they lost the
 * right to it. Returns what one of them sees.
 */
export async function lookAtDashboards(
  { reader, clock, findOpenSessions }: { reader: Reader; clock: Clock; findOpenSessions: FindOpenSessions },
  watchers: readonly Watcher[],
): Promise<(watcher: Watcher) => Sight> {
  const dashboardIds = [...new Set(watchers.map(({ dashboardId }) => dashboardId))];
  const sessionIds = [...new Set(watchers.map(({ actor }) => actor.credential.sessionId))];
  const states = await findStates(reader, dashboardIds);
  const editors = await findEditors(reader, dashboardIds, timestamp(clock()));
  const sightings = await findSightings(reader, watchers.map(toViewer));
  const openSessions = await findOpenSessions(sessionIds);
  return (watcher) => {
    if (!openSessions.has(watcher.actor.credential.sessionId)) return { refusal: 'unauthenticated' };
    const sighting = sightings.get(viewerKey(toViewer(watcher)));
    const refusal = findRefusal(watcher.actor, sighting, sighting?.organizationId);
    const state = states.get(watcher.dashboardId);
    if (refusal !== undefined || state === undefined) return { refusal: refusal ?? 'not_found' };
    return { view: { state, people: editors.get(watcher.dashboardId) ?? [] } };
  };
}

const toViewer = ({ dashboardId, actor }: Watcher) => ({ dashboardId, userId: actor.userId });

/** Returns what to tell a watcher who saw the dashboard as `before`, or not yet. */
export function newsOf(before: View | undefined, { state, people }: View): DashboardEvent[] {
  const { version, userId, userName, at } = state;
  const id = String(version);
  if (before === undefined) return [{ event: 'state', id, data: { version, people: [...people] } }];
  const news: DashboardEvent[] = [];
  if (version !== before.state.version) {
    news.push({ event: 'saved', id, data: { version, userId, userName, at } });
  }
  if (JSON.stringify(people) !== JSON.stringify(before.people)) {
    news.push({ event: 'editing', id, data: { people: [...people] } });
  }
  return news;
}

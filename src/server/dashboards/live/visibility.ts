import type { DashboardEvent, EditingPerson, EndReason } from '#contract/dashboards/events.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { findRefusal } from '../../organizations/authorization.ts';
import type { Reader } from '../../storage/database.ts';
import { findViewers } from './stream-store.ts';
import { findEditors, findVisible, findStates, viewerKey, type DashboardState } from './visibility-store.ts';

/** More names help nobody, and each of them is sent to everyone. */
const maxViewers = 50;

/** A person who watches a dashboard. */
export interface Watcher {
  readonly dashboardId: string;
  readonly actor: Actor;
}

/** Returns which of these sessions and tokens are still valid, each with the organizations whose session limits it exceeds. */
export type FindOpenCredentials = (
  credentialIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

/** A dashboard as one of its watchers sees it. */
export interface View {
  readonly state: DashboardState;
  readonly people: readonly EditingPerson[];
  /** The others who have it open. */
  readonly viewers: readonly EditingPerson[];
}

/** What a watcher sees, or why the watcher no longer sees anything. */
export type Visibility = { readonly view: View } | { readonly refusal: EndReason };

/**
 * Reads the dashboards of watchers and after that their access, so that nobody sees a change made after they lost access.
 * Returns a function that returns what one of the watchers sees.
 */
export async function findVisibility(
  {
    reader,
    clock,
    findOpenCredentials,
  }: { reader: Reader; clock: Clock; findOpenCredentials: FindOpenCredentials },
  watchers: readonly Watcher[],
): Promise<(watcher: Watcher) => Visibility> {
  const dashboardIds = [...new Set(watchers.map(({ dashboardId }) => dashboardId))];
  const credentialIds = [...new Set(watchers.map(({ actor }) => actor.credential.id))];
  const states = await findStates(reader, dashboardIds);
  const now = timestamp(clock());
  const editors = await findEditors(reader, dashboardIds, now);
  const viewers = await findViewers(reader, dashboardIds, now);
  const visible = await findVisible(reader, watchers.map(toViewer));
  const openCredentials = await findOpenCredentials(credentialIds);
  return (watcher) => {
    const exceededOrganizationIds = openCredentials.get(watcher.actor.credential.id);
    if (exceededOrganizationIds === undefined) return { refusal: 'unauthenticated' };
    const actor = { ...watcher.actor, exceededOrganizationIds };
    const requirement = visible.get(viewerKey(toViewer(watcher)));
    const refusal = findRefusal(actor, requirement, requirement?.organizationId);
    const state = states.get(watcher.dashboardId);
    if (refusal !== undefined || state === undefined) return { refusal: refusal ?? 'not_found' };
    const others = (viewers.get(watcher.dashboardId) ?? []).filter(
      ({ userId }) => userId !== watcher.actor.userId,
    );
    return {
      view: {
        state,
        people: editors.get(watcher.dashboardId) ?? [],
        viewers: others.slice(0, maxViewers),
      },
    };
  };
}

const toViewer = ({ dashboardId, actor }: Watcher) => ({ dashboardId, userId: actor.userId });

/** Returns the events for a watcher who last saw the dashboard as `before`, or hasn't seen it yet. */
export function eventsSince(before: View | undefined, { state, people, viewers }: View): DashboardEvent[] {
  const { version, userId, userName, at, comments } = state;
  const id = String(version);
  const events: DashboardEvent[] = [];
  if (before === undefined) {
    events.push({ event: 'state', id, data: { version, people: [...people], comments } });
  } else if (version !== before.state.version) {
    events.push({ event: 'saved', id, data: { version, userId, userName, at } });
  }
  if (before !== undefined && JSON.stringify(people) !== JSON.stringify(before.people)) {
    events.push({ event: 'editing', id, data: { people: [...people] } });
  }
  if (JSON.stringify(viewers) !== JSON.stringify(before?.viewers ?? [])) {
    events.push({ event: 'viewing', id, data: { people: [...viewers] } });
  }
  if (before !== undefined && comments.revision !== before.state.comments.revision) {
    events.push({ event: 'comments', id, data: comments });
  }
  return events;
}

import type { DashboardInput, DashboardSummary, Widget, WidgetInput } from '#contract/dashboards.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { cursorOf, type Page, type PageRequest } from '../base/paging.ts';
import { isOpenTo, listOrganizationIds, requireRole, requireSsoSession } from '../organizations/members.ts';
import type { Database, Reader } from '../storage/database.ts';
import {
  findReadableDashboard,
  insertDashboard,
  selectDashboardHeads,
  selectDashboardPlaces,
  type DashboardPlace,
  type StoredDashboard,
} from './dashboard-store.ts';
import { placeWidgets } from './widget-placement.ts';

/** Creates a dashboard: under an organization it takes an editor, without one it is the actor's own. */
export function createDashboard(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: DashboardInput,
): Promise<StoredDashboard> {
  const { name, description, organizationId } = input;
  const now = timestamp(clock());
  const stored: StoredDashboard = {
    summary: {
      id: newId(),
      userId: actor.userId,
      ...(organizationId !== undefined && { organizationId }),
      name,
      ...(description !== undefined && { description }),
      createdAt: now,
      updatedAt: now,
    },
    widgetsJson: JSON.stringify(newWidgets(input.widgets ?? [])),
    version: 1,
  };
  return database.write(async (transaction) => {
    if (organizationId === undefined) requireOwnDashboards(actor);
    else await requireRole(transaction, actor, organizationId, 'editor');
    await insertDashboard(transaction, stored);
    return stored;
  });
}

/** Returns a dashboard of the actor's own or of an organization the actor is a member of. Throws `not_found`. */
export async function getDashboard(reader: Reader, actor: Actor, id: string): Promise<StoredDashboard> {
  const stored = await findReadableDashboard(reader, id, actor.userId);
  if (stored === undefined || !isOpenTo(actor, stored.summary.organizationId)) throw notFound();
  if (stored.requireSso) requireSsoSession(actor);
  return stored;
}

/** Lists, newest first, the dashboards of one organization, or the actor's own and those of all organizations. */
export async function listDashboards(
  reader: Reader,
  actor: Actor,
  organizationId: string | undefined,
  page: PageRequest,
): Promise<Page<DashboardSummary>> {
  if (organizationId !== undefined) await requireRole(reader, actor, organizationId, 'viewer');
  const organizationIds =
    organizationId === undefined ? await listOrganizationIds(reader, actor) : [organizationId];
  const opensOwn = organizationId === undefined && actor.onlyOrganizationId === undefined;
  const scope = { userId: opensOwn ? actor.userId : undefined, organizationIds };
  const places = await selectDashboardPlaces(reader, scope, page);
  const shown = withinBytes(places.slice(0, page.limit), maxPageBytes);
  const [first, last] = [shown.at(0), shown.at(-1)];
  if (first === undefined || last === undefined) return { items: [] };
  const heads = await selectDashboardHeads(reader, scope, { from: last.id, to: first.id });
  return { items: heads, ...(places.length > shown.length && { nextCursor: cursorOf(last.id) }) };
}

/** Names and descriptions have no limit of their own, so a page ends early rather than grow without one. */
const maxPageBytes = 4 * 1024 * 1024;

function withinBytes(places: readonly DashboardPlace[], maxBytes: number): DashboardPlace[] {
  let bytes = 0;
  return places.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes;
    return index === 0 || bytes <= maxBytes;
  });
}

function newWidgets(inputs: readonly WidgetInput[]): Widget[] {
  const layouts = placeWidgets(inputs.map(({ layout }) => layout && pickLayout(layout)));
  return inputs.map(({ reportId, config }, index) => {
    const layout = layouts[index];
    if (layout === undefined) throw new Error('Every widget has been placed.');
    return { id: newId(), reportId, layout, config: config ?? {} };
  });
}

/** Leaves out what a client sent beside the four: unknown fields are never stored. */
const pickLayout = ({ x, y, w, h }: Widget['layout']): Widget['layout'] => ({ x, y, w, h });

function requireOwnDashboards(actor: Actor): void {
  if (actor.onlyOrganizationId !== undefined) {
    throw new AtriumError(
      'forbidden',
      'This session opens one organization alone; create the dashboard under it.',
    );
  }
}

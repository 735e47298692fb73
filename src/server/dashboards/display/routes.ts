import { Readable } from 'node:stream';
import * as contract from '#contract/dashboards/display.ts';
import type { ProblemCode } from '#contract/problem.ts';
import { imagesIn } from '#shared/content-widgets/images-in.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import type { Actor, DisplayActor } from '../../base/actor.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { clientSignal } from '../../http/request/client-signal.ts';
import { whileIdle } from '../../http/limits/idle-connections.ts';
import type { Serve } from '../../http/serve.ts';
import { getOrganization } from '../../organizations/organizations.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { requireDashboard } from '../access/access.ts';
import { contentOf } from '../content/content.ts';
import { runDashboard, type DashboardResultDependencies } from '../results/results.ts';
import { readShownToOthers } from '../results/withheld.ts';
import type { ReadableDashboard } from '../store.ts';
import { noteDashboardView } from '../views.ts';
import { linkNotValid } from './authentication.ts';
import { toDisplayed } from './displayed.ts';
import { createLink, listLinks, revokeLink, type LinkCreationDependencies } from './links.ts';

interface DisplayDependencies extends DashboardResultDependencies, LinkCreationDependencies {
  readonly database: Database;
  readonly readImage: (
    reader: Reader,
    actor: Actor,
    image: { readonly organizationId: string; readonly id: string; readonly onDashboard?: string },
  ) => Promise<{ readonly type: string; readonly file: Buffer }>;
}

/** Serves the links for wall displays, and what they show. */
export function serveDisplays(serve: Serve, dependencies: DisplayDependencies): void {
  const { database } = dependencies;
  serve(contract.createDisplayLink, ({ actor, params, body }) =>
    createLink(dependencies, actor, { dashboardId: params.dashboardId, input: body }),
  );
  serve(contract.listDisplayLinks, async ({ actor, params }) => ({
    items: await listLinks(database, actor, params.dashboardId),
  }));
  serve(contract.revokeDisplayLink, async ({ actor, params }) => {
    await revokeLink(dependencies, actor, params);
    return undefined;
  });

  serve(contract.getDisplayedDashboard, async ({ actor }) => {
    const { filters } = actor;
    const dashboard = await requireDisplayed(database, actor);
    noteDashboardView(dependencies, actor.creator, dashboard);
    const { id, name, version, organization } = dashboard;
    const { widgets } = contentOf(dashboard);
    const others = await readShownToOthers(database, dashboard, actor.creator.userId, widgets);
    return {
      id,
      name,
      version,
      ...(filters !== '' && { filters }),
      organization: shown(organization),
      widgets: toDisplayed(widgets, (widget) => others.findReason(widget) !== undefined),
    };
  });

  serve(contract.getDisplayedResults, async ({ actor, query }, reply) => {
    await requireDisplayed(database, actor);
    const { 'widget-ids': widgetIds } = query;
    const lines = await runDashboard(dependencies, actor.creator, {
      id: actor.dashboardId,
      ...(widgetIds !== undefined && { widgetIds: new Set(widgetIds.split(',')) }),
      values: valuesOf(actor.filters),
      isView: true,
      isForced: false,
      signal: clientSignal(reply),
      onFailure: (error) => reply.log.error({ err: error }, 'A report of a dashboard failed'),
      isForOthers: true,
      // The messages of data sources quote queries.
      toShownError: ({ code }) => new AtriumError(noAccess.has(code) ? 'not_shown' : code),
    });
    return Readable.from(whileIdle(reply, lines), { objectMode: false });
  });

  serve(contract.readDisplayedImage, async ({ actor, params: { imageId } }, reply) => {
    const { organization, ...dashboard } = await requireDisplayed(database, actor);
    const isShown = contentOf(dashboard).widgets.some((widget) =>
      imagesIn(widget).some(({ id }) => id === imageId),
    );
    if (!isShown) throw notFound();
    const image = { organizationId: organization.id, id: imageId, onDashboard: dashboard.id };
    const { type, file } = await dependencies.readImage(database, actor.creator, image);
    reply.type(type).header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
    return file;
  });
}

/** Why the creator of a link can't read a report, which is not for those who see the display. */
const noAccess: ReadonlySet<ProblemCode> = new Set([
  'not_found',
  'forbidden',
  'address_not_allowed',
  'sso_required',
  'second_factor_missing',
]);

/** Returns the dashboard that a display shows, if its creator may share it now. Throws `link_not_valid`. */
async function requireDisplayed(
  reader: Reader,
  { creator, dashboardId }: DisplayActor,
): Promise<ReadableDashboard & { readonly organization: Organization }> {
  try {
    const dashboard = await requireDashboard(reader, creator, dashboardId, 'manage');
    const { organizationId = '' } = dashboard;
    return { ...dashboard, organization: await getOrganization(reader, creator, organizationId) };
  } catch (error) {
    if (error instanceof AtriumError && noAccess.has(error.code)) throw linkNotValid();
    throw error;
  }
}

const shown = ({
  timeZone,
  weekStart,
  locale,
  currency,
  accentColor,
  chartColors,
  logoId,
}: Organization): contract.DisplayedDashboard['organization'] => ({
  timeZone,
  weekStart,
  locale,
  currency,
  accentColor,
  chartColors,
  ...(logoId !== undefined && { logoId }),
});

/** Returns the values in a query string; a name that is repeated has a list. */
function valuesOf(filters: string): Record<string, string | readonly string[]> {
  const byName = Map.groupBy(new URLSearchParams(filters), ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => {
      const [first = '', ...others] = pairs.map(([, value]) => value);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}
